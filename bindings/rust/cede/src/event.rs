// SPDX-License-Identifier: MIT
//! What happened, for [`Engine::step`](crate::Engine::step).

use crate::number::{ActionId, EntryId, Name};
use crate::sys;
use crate::time::millis;
use std::time::Duration;

/// What happened. An event without a task is about every task of the job that is in the ledger.
///
/// Tell a change of the cluster first and the event about it afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Event(sys::cede_event);

impl Event {
    fn new(kind: i32) -> Event {
        Event(sys::cede_event { kind, ..Default::default() })
    }

    fn of_job(kind: i32, job: Name) -> Event {
        let mut event = Event::new(kind);
        event.0.job = job.get();
        event
    }

    fn of_node(kind: i32, node: Name) -> Event {
        let mut event = Event::new(kind);
        event.0.node = node.get();
        event
    }

    fn of_action(kind: i32, action: ActionId) -> Event {
        let mut event = Event::new(kind);
        event.0.action = action.get();
        event
    }

    /// The job is saving.
    pub fn checkpoint_progress(job: Name) -> Event {
        Event::of_job(sys::CEDE_EVENT_CHECKPOINT_PROGRESS, job)
    }

    /// The job has saved.
    pub fn checkpoint_done(job: Name) -> Event {
        Event::of_job(sys::CEDE_EVENT_CHECKPOINT_DONE, job)
    }

    /// The job could not save.
    pub fn checkpoint_failed(job: Name) -> Event {
        Event::of_job(sys::CEDE_EVENT_CHECKPOINT_FAILED, job)
    }

    /// The job asks for this much more time.
    pub fn defer(job: Name, length: Duration) -> Event {
        let mut event = Event::of_job(sys::CEDE_EVENT_DEFER, job);
        event.0.length = millis(length);
        event
    }

    /// The job has left its nodes.
    pub fn released(job: Name) -> Event {
        Event::of_job(sys::CEDE_EVENT_RELEASED, job)
    }

    /// The job ended by itself, with this exit code.
    pub fn exited(job: Name, code: i32) -> Event {
        let mut event = Event::of_job(sys::CEDE_EVENT_EXITED, job);
        event.0.code = code;
        event
    }

    /// The queue has what it claimed.
    pub fn claim_done(entry: EntryId) -> Event {
        let mut event = Event::new(sys::CEDE_EVENT_CLAIM_DONE);
        event.0.entry = entry.get();
        event
    }

    /// The requester, or a moved victim, runs.
    pub fn started(job: Name) -> Event {
        Event::of_job(sys::CEDE_EVENT_STARTED, job)
    }

    /// The job was cancelled by its owner.
    pub fn cancelled(job: Name) -> Event {
        Event::of_job(sys::CEDE_EVENT_CANCELLED, job)
    }

    /// The node is down.
    pub fn node_down(node: Name) -> Event {
        Event::of_node(sys::CEDE_EVENT_NODE_DOWN, node)
    }

    /// The node is up.
    pub fn node_up(node: Name) -> Event {
        Event::of_node(sys::CEDE_EVENT_NODE_UP, node)
    }

    /// The action was carried out.
    pub fn action_done(action: ActionId) -> Event {
        Event::of_action(sys::CEDE_EVENT_ACTION_DONE, action)
    }

    /// The action could not be carried out. [`Events::action_failed`] says why, too.
    pub fn action_failed(action: ActionId) -> Event {
        Event::of_action(sys::CEDE_EVENT_ACTION_FAILED, action)
    }

    /// The event is about this task alone. Only events about a job may have one.
    #[must_use]
    pub fn task(mut self, task: Name) -> Event {
        self.0.task = task.get();
        self
    }
}

/// Events since the last step, with the reasons that failed actions give.
///
/// ```
/// use cede::{ActionId, Event, Events};
///
/// let mut events = Events::new();
/// events.push(Event::action_done(ActionId::new(6)));
/// events.action_failed(ActionId::new(7), "no such process");
/// assert_eq!(events.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events {
    events: Vec<Event>,
    texts: String,
}

impl Events {
    /// Nothing has happened.
    pub fn new() -> Events {
        Events::default()
    }

    /// Adds what happened.
    pub fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Adds an action that could not be carried out, and why.
    pub fn action_failed(&mut self, action: ActionId, reason: &str) {
        let mut event = Event::action_failed(action);
        // Beyond what the fields hold, the library refuses the place.
        event.0.text = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        event.0.text_size = u32::try_from(reason.len()).unwrap_or(u32::MAX);
        self.texts.push_str(reason);
        self.events.push(event);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Forgets them, and keeps the room for others.
    pub fn clear(&mut self) {
        self.events.clear();
        self.texts.clear();
    }

    pub(crate) fn start(&self) -> *const sys::cede_event {
        self.events.as_ptr().cast()
    }

    pub(crate) fn texts(&self) -> &[u8] {
        self.texts.as_bytes()
    }
}

impl Extend<Event> for Events {
    fn extend<I: IntoIterator<Item = Event>>(&mut self, events: I) {
        self.events.extend(events);
    }
}

impl FromIterator<Event> for Events {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Events {
        Events { events: events.into_iter().collect(), texts: String::new() }
    }
}
