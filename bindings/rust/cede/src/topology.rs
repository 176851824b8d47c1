// SPDX-License-Identifier: MIT
//! What a text says about a machine or a network.

use crate::error::{check, Result};
use crate::handle::Handle;
use crate::plan_parts::Picture;
use crate::sys;
use crate::text::{all_borrowed, borrowed, c_string, start, Text};
use std::fmt;
use std::mem::size_of;
use std::ptr;

both_ways! {
    /// What a text about a machine or a network is.
    TopologyKind {
        /// XML by its outermost element; anything else is a `topology.conf`.
        Any = CEDE_TOPOLOGY_ANY,
        /// hwloc 1.x or 2.x, as "hwloc_xml" in a cluster document.
        HwlocXml = CEDE_TOPOLOGY_HWLOC_XML,
        /// What NCCL writes to `NCCL_TOPO_DUMP_FILE`, as "nccl_xml".
        NcclXml = CEDE_TOPOLOGY_NCCL_XML,
        /// `topology.conf`, tree or block, as "slurm_topology".
        Slurm = CEDE_TOPOLOGY_SLURM,
    }
}

answer! {
    /// What is counted in a machine or a network.
    TopologyFacts(cede_topology_facts) {
        /// What the text is, never any.
        kind => kind: TopologyKind;
        /// GPUs, every partition of one counted.
        devices => devices: u32;
        /// GPUs, partitions not counted.
        physical_devices => physical_devices: u32;
        /// NUMA nodes with CPUs; 0: not known.
        numa_nodes => numa_nodes: u32;
        /// 0: not known.
        sockets => sockets: u32;
        /// Usable by jobs; 0: not known.
        cores => cores: u32;
        /// Sets of devices that links connect.
        islands => islands: u32;
        /// False: there may be links that the text does not list.
        links_known => links_known: bool;
        /// Network cards.
        nics => nics: u32;
        /// Of a network.
        levels => levels: u32;
        /// Of a network, of all levels.
        domains => domains: u32;
        /// Of a network.
        nodes => nodes: u32;
    }
}

/// One text about a machine (hwloc or NCCL XML) or a network (Slurm's `topology.conf`). Belongs to no engine; immutable.
///
/// ```
/// use cede::{Topology, TopologyKind};
///
/// let text = "SwitchName=leaf1 Nodes=n[1-2]\nSwitchName=leaf2 Nodes=n[3-4]\nSwitchName=spine Switches=leaf[1-2]\n";
/// let topology = Topology::read(text, TopologyKind::Slurm, None)?;
/// assert_eq!(topology.facts()?.nodes(), 4);
/// assert_eq!(topology.domains(0).collect::<Vec<_>>(), ["leaf1", "leaf2"]);
/// # Ok::<(), cede::Error>(())
/// ```
pub struct Topology(Handle<sys::cede_topology>);

impl Topology {
    /// Reads a text of that kind. The name is the one in documents and pictures. hwloc is large: read untrusted texts in a
    /// process that may crash.
    pub fn read(text: impl AsRef<[u8]>, kind: TopologyKind, name: Option<&str>) -> Result<Topology> {
        let text = text.as_ref();
        let name = name.map(|name| c_string("name", name)).transpose()?;
        let name = name.as_ref().map_or(ptr::null(), |name| name.as_ptr());
        let kind = crate::structs::Input::input(kind);
        // SAFETY: the texts live until the call returns.
        Handle::make(|made, error| unsafe {
            sys::cede_topology_create(start(text), text.len(), kind, name, made, error)
        })
        .map(Topology)
    }

    fn get(&self) -> *const sys::cede_topology {
        self.0.get()
    }

    /// What is counted.
    pub fn facts(&self) -> Result<TopologyFacts> {
        let mut facts = TopologyFacts(sys::cede_topology_facts::default());
        // SAFETY: the place has the size that is told.
        check(|error| unsafe { sys::cede_topology_get(self.get(), &mut facts.0, size_of::<TopologyFacts>(), error) })?;
        Ok(facts)
    }

    /// 32 hexadecimal digits, equal if and only if the library sees the same class of machine or the same network. Compare
    /// only signatures made by one version of the library.
    pub fn signature(&self) -> &str {
        // SAFETY: the handle is valid. The same holds for the calls below; beyond the last there is NULL.
        borrowed(self, unsafe { sys::cede_topology_signature(self.get()) }).unwrap_or("")
    }

    /// A network's levels, nearest first.
    pub fn levels(&self) -> impl Iterator<Item = &str> {
        all_borrowed(self, move |level| unsafe { sys::cede_topology_level(self.get(), level) })
    }

    /// How many domains a level has.
    pub fn domain_count(&self, level: usize) -> usize {
        unsafe { sys::cede_topology_domain_count(self.get(), level) }
    }

    /// The domains of a level in the order of the text.
    pub fn domains(&self, level: usize) -> impl Iterator<Item = &str> {
        all_borrowed(self, move |domain| unsafe { sys::cede_topology_domain(self.get(), level, domain) })
    }

    /// A `cede-topology/1` document.
    pub fn json(&self) -> Result<Text> {
        Text::make(|text, error| unsafe { sys::cede_topology_json(self.get(), text, error) })
    }

    /// The same drawn for people, as [`Plan::picture`](crate::Plan::picture) draws a plan.
    pub fn picture(&self, form: Picture, width: u32) -> Result<Text> {
        Text::make(|text, error| unsafe { sys::cede_topology_picture(self.get(), form.raw(), width, text, error) })
    }
}

impl fmt::Debug for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Topology").field("signature", &self.signature()).finish()
    }
}
