// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

import "unsafe"

// Ledger is what is decided and not finished: a snapshot that does not change with the engine. It is plain data; Close
// frees what the texts and JSON need.
//
// An entry is live until it has started, expired, failed or was cancelled. It stays in the ledger until its last
// victim has left or runs on and every action about it is answered.
type Ledger struct {
	*handle
	Entries []Entry
	Victims []LedgerVictim // of all entries: those of one are Victims[e.FirstVictim:][:e.VictimCount]
	Tasks   []VictimTask   // of all victims, likewise
	Places  []Place        // of all entries, likewise
}

func destroyLedger(ledger unsafe.Pointer) { C.cede_ledger_destroy((*C.cede_ledger)(ledger)) }

// InFlight is the ledger as it is now.
func (e *Engine) InFlight() (*Ledger, error) {
	var made *C.cede_ledger
	err := e.read(func(c *C.cede_engine, told *C.cede_error) C.int32_t { return C.cede_engine_in_flight(c, &made, told) })
	if err != nil {
		return nil, err
	}
	l := &Ledger{handle: own(unsafe.Pointer(made), destroyLedger)}
	if err := l.read(); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

func (l *Ledger) read() (err error) {
	l.Entries, err = all[Entry](l.handle, func(a array) C.int32_t {
		return C.cede_ledger_entries((*C.cede_ledger)(a.of), (*C.cede_entry)(a.out), a.size, a.room, a.count, a.told)
	})
	if err != nil {
		return err
	}
	l.Victims, err = all[LedgerVictim](l.handle, func(a array) C.int32_t {
		return C.cede_ledger_victims((*C.cede_ledger)(a.of), (*C.cede_ledger_victim)(a.out), a.size, a.room, a.count, a.told)
	})
	if err != nil {
		return err
	}
	l.Tasks, err = all[VictimTask](l.handle, func(a array) C.int32_t {
		return C.cede_ledger_tasks((*C.cede_ledger)(a.of), (*C.cede_victim_task)(a.out), a.size, a.room, a.count, a.told)
	})
	if err != nil {
		return err
	}
	l.Places, err = all[Place](l.handle, func(a array) C.int32_t {
		return C.cede_ledger_places((*C.cede_ledger)(a.of), (*C.cede_place)(a.out), a.size, a.room, a.count, a.told)
	})
	return err
}

// Close frees the ledger. Its fields stay.
func (l *Ledger) Close() error {
	if l == nil {
		return nil
	}
	return l.close()
}

// VictimsOf are the victims of one of its entries.
func (l *Ledger) VictimsOf(entry Entry) []LedgerVictim {
	return part(l.Victims, entry.FirstVictim, entry.VictimCount)
}

// PlacesOf are the places of one of its entries.
func (l *Ledger) PlacesOf(entry Entry) []Place {
	return part(l.Places, entry.FirstPlace, entry.PlaceCount)
}

// TasksOf are the tasks of one of its victims.
func (l *Ledger) TasksOf(victim LedgerVictim) []VictimTask {
	return part(l.Tasks, victim.FirstTask, victim.TaskCount)
}

// EntryText is an entry in words.
type EntryText struct {
	Requester string // what it is for; relief: "node:NAME"
	Cause     string // why
	Victims   []VictimText
}

// VictimText is a victim of an entry in words.
type VictimText struct {
	Job   string
	Phase string // "checkpointing", "terminating", "released" ...
}

// EntryText is one of its entries, from 0, in words. After Close it is empty.
func (l *Ledger) EntryText(entry int) EntryText {
	var out EntryText
	object, err := l.enter()
	if err != nil || entry < 0 {
		return out
	}
	defer l.leave()
	ledger, i := (*C.cede_ledger)(object), C.size_t(entry)
	out.Requester = C.GoString(C.cede_ledger_requester(ledger, i))
	out.Cause = C.GoString(C.cede_ledger_cause(ledger, i))
	jobs := l.list(func(_ unsafe.Pointer, k C.size_t) *C.char { return C.cede_ledger_victim_job(ledger, i, k) })
	for k, job := range jobs {
		phase := C.GoString(C.cede_ledger_victim_phase(ledger, i, C.size_t(k)))
		out.Victims = append(out.Victims, VictimText{job, phase})
	}
	return out
}

// JSON is all of it as a cede-in-flight/1 document.
func (l *Ledger) JSON() ([]byte, error) {
	return l.document(func(o unsafe.Pointer, text **C.cede_text, told *C.cede_error) C.int32_t {
		return C.cede_ledger_json((*C.cede_ledger)(o), text, told)
	})
}
