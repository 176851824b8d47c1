// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import "unsafe"

// TopologyKind is the kind of a text about a machine or a network.
type TopologyKind int32

const (
	TopologyAny      TopologyKind = C.CEDE_TOPOLOGY_ANY       // XML by its outermost element; anything else is a topology.conf
	TopologyHwlocXML TopologyKind = C.CEDE_TOPOLOGY_HWLOC_XML // hwloc 1.x or 2.x, as "hwloc_xml" in a cluster document
	TopologyNcclXML  TopologyKind = C.CEDE_TOPOLOGY_NCCL_XML  // what NCCL writes to NCCL_TOPO_DUMP_FILE, as "nccl_xml"
	TopologySlurm    TopologyKind = C.CEDE_TOPOLOGY_SLURM     // topology.conf, tree or block, as "slurm_topology"
)

// TopologyFacts is everything about a topology that is a number.
type TopologyFacts struct {
	Kind            TopologyKind // never TopologyAny
	Devices         uint32       // GPUs, every partition of one counted
	PhysicalDevices uint32       // GPUs, partitions not counted
	NUMANodes       uint32       // with CPUs; 0: not known
	Sockets         uint32       // 0: not known
	Cores           uint32       // usable by jobs; 0: not known
	Islands         uint32       // sets of devices that links connect
	LinksKnown      Flag         // 0: there may be links that the text does not list
	NICs            uint32
	Levels          uint32 // this and the following: of a network
	Domains         uint32 // of all levels
	Nodes           uint32
}

// Topology is one text about a machine (hwloc or NCCL XML) or a network (Slurm's topology.conf), read as in a cluster
// document. It belongs to no engine and never changes. Close it.
type Topology struct {
	*handle
	Facts TopologyFacts
}

// NewTopology reads a text of that kind. `name` is its name in documents and pictures; "": "topology". Read untrusted
// texts in a process that may crash: hwloc is large.
func NewTopology(text []byte, kind TopologyKind, name string) (*Topology, error) {
	var called *C.char
	if name != "" {
		var err error
		if called, err = cstring("name", name); err != nil {
			return nil, err
		}
	}
	var made *C.cede_topology
	var told C.cede_error
	data, size := document(text)
	status := C.cede_topology_create(data, size, C.int32_t(kind), called, &made, &told)
	if err := outcome(status, &told); err != nil {
		return nil, err
	}
	t := &Topology{handle: own(unsafe.Pointer(made), func(o unsafe.Pointer) { C.cede_topology_destroy((*C.cede_topology)(o)) })}
	out := (*C.cede_topology_facts)(unsafe.Pointer(&t.Facts))
	if err := outcome(C.cede_topology_get(made, out, sizeOf[TopologyFacts](), &told), &told); err != nil {
		_ = t.Close()
		return nil, err
	}
	return t, nil
}

// Close frees the topology. Its facts stay.
func (t *Topology) Close() error {
	if t == nil {
		return nil
	}
	return t.close()
}

// Signature is 32 hexadecimal digits, equal if and only if the library sees the same class of machine or the same
// network. Compare only signatures made by one version of the library.
func (t *Topology) Signature() string {
	return t.word(func(o unsafe.Pointer) *C.char { return C.cede_topology_signature((*C.cede_topology)(o)) })
}

// LevelNames are the levels of a network, nearest first.
func (t *Topology) LevelNames() []string {
	return t.list(func(o unsafe.Pointer, i C.size_t) *C.char { return C.cede_topology_level((*C.cede_topology)(o), i) })
}

// DomainNames are the domains of one level, from 0, in the order of the text.
func (t *Topology) DomainNames(level int) []string {
	if level < 0 {
		return nil
	}
	return t.list(func(o unsafe.Pointer, i C.size_t) *C.char {
		return C.cede_topology_domain((*C.cede_topology)(o), C.size_t(level), i)
	})
}

// JSON is a cede-topology/1 document: the class in the compact form of a cluster document, or the network's levels,
// domains and nodes.
func (t *Topology) JSON() ([]byte, error) {
	return t.document(func(o unsafe.Pointer, text **C.cede_text, told *C.cede_error) C.int32_t {
		return C.cede_topology_json((*C.cede_topology)(o), text, told)
	})
}

// Picture draws it for people, as Plan.Picture draws a plan.
func (t *Topology) Picture(format PictureFormat, width int) (string, error) {
	drawn, err := t.document(func(o unsafe.Pointer, text **C.cede_text, told *C.cede_error) C.int32_t {
		return C.cede_topology_picture((*C.cede_topology)(o), C.int32_t(format), pixels(width), text, told)
	})
	return string(drawn), err
}
