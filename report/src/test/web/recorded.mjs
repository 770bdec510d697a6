/** What was live after each event, and whose it was, added up from the events alone: neither the page's code nor Leakline's. */

const OLDER = "(allocated before the recording)";

export class Recorded {
    /**
     * @param changes by how many bytes each event changes what is live
     * @param lines the number of the line of code that each event's block is of; ignored where nothing changes
     * @param names of the lines
     * @param before bytes of each line that were live before the first event
     */
    constructor(changes, lines, names, before) {
        Object.assign(this, { changes, lines, names, before });
        let sum = before.reduce((all, bytes) => all + bytes, 0);
        this.live = Float64Array.from(changes, (change) => (sum += change));
    }

    /** The events of a snapshot in JSON; every block of it is allocated in the recording, and its size is what was requested. */
    static ofJson(snapshot) {
        const events = snapshot.device_traces[0];
        const names = [];
        const lines = new Map();
        const number = (name) => (names.includes(name) ? names.indexOf(name) : names.push(name) - 1);
        const changes = Float64Array.from(events, ({ action, size }) => (action === "alloc" ? size : action === "free_completed" ? -size : 0));
        const numbers = Int32Array.from(events, ({ action, addr, frames }) => {
            lines.set(addr, action === "alloc" ? number(lineOf(frames)) : (lines.get(addr) ?? number(OLDER)));
            return lines.get(addr);
        });
        return new Recorded(changes, numbers, names, names.map(() => 0));
    }

    /** Bytes by the name of a line after an event; -1 is before the first. */
    byLine(event) {
        const bytes = Float64Array.from(this.before);
        for (let i = 0; i <= event; i++) {
            bytes[this.lines[i]] += this.changes[i];
        }
        return new Map(this.names.map((name, i) => [name, bytes[i]]));
    }

    /** Live bytes after an event; -1 is before the first. */
    liveAfter(event) {
        return event < 0 ? this.before.reduce((all, bytes) => all + bytes, 0) : this.live[event];
    }

    /** The most that was live after any of the events from one to another, which is not among them. */
    most(from, to) {
        return this.live.subarray(Math.max(from, 0), Math.min(to, this.live.length)).reduce((most, bytes) => Math.max(most, bytes), 0);
    }
}

/** A line of code as the page names it. */
function lineOf([{ filename, line, name }]) {
    return `${filename.slice(filename.lastIndexOf("/") + 1)}:${line} (${name})`;
}
