/**
 * Files between the maker of something long and its reader: written as fast as the disk takes it, read from the first
 * byte on while they are written. The writer never waits for the reader, so that a slow reader holds up nothing but its own
 * file. A file has no name from the moment it is open, so a process that ends, however it does, leaves none.
 */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';

export interface SpoolOptions {
  /** Made when it is first needed; holds nothing else. */
  directory: string;
  /** All files of this process together, in bytes. */
  maxBytes: number;
  /** What has to stay free on the disk, in bytes: others live there, the database above all. */
  reserve: number;
  /** A reader that has something to read all the time takes at least `bytes` in `ms`, or is cut off. */
  pace: { bytes: number; ms: number };
}

/** There is no room for a file, or for more of it. */
export class SpoolFull extends Error {}

class ReaderTooSlow extends Error {}

export interface Spool {
  /** Where to write. Ends with an error when the reader has gone, or there is no room. */
  writer: Writable;
  /** Everything that is written, from the beginning; it breaks off when the writer does. The file goes with it. */
  reader: Readable;
}

export interface SpoolRoom {
  /** A new file, of which `expected` bytes are expected. Throws SpoolFull when there is no room for this many. */
  open(expected: number): Promise<Spool>;
  /** Bytes in all files. */
  readonly used: number;
}

/** After this many bytes the disk is asked again how much is free. */
const CHECK_AFTER = 16 * 1024 * 1024;
const AT_ONCE = 256 * 1024;
/** How often in the time of a pace it is looked whether the reader keeps it. */
const LOOKS = 12;

/** The rest of the room, for all files. */
class Room {
  used = 0;
  readonly options: SpoolOptions;
  #prepared: Promise<void> | null = null;

  constructor(options: SpoolOptions) {
    this.options = options;
  }

  /** Files that a process left which ended between opening and unlinking one; they are empty. */
  prepare(): Promise<void> {
    const { directory } = this.options;
    const prepare = async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      for (const name of await readdir(directory)) await rm(join(directory, name), { force: true });
    };
    this.#prepared ??= prepare().catch((error: unknown) => {
      this.#prepared = null;
      throw error;
    });
    return this.#prepared;
  }

  /** Throws SpoolFull unless this many more bytes would fit. */
  async require(bytes: number): Promise<void> {
    const { directory, maxBytes, reserve } = this.options;
    if (this.used + bytes > maxBytes) throw new SpoolFull(`more than ${maxBytes} bytes in spool files`);
    const { bavail, bsize } = await statfs(directory);
    if (bavail * bsize - bytes < reserve)
      throw new SpoolFull(`less than ${reserve} bytes would be left on the disk`);
  }
}

/** A file without a name. */
async function openNameless(directory: string): Promise<FileHandle> {
  const path = join(directory, uuidv7());
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
  const file = await open(path, flags, 0o600);
  // Another process that prepares the directory may have been faster.
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return file;
}

class SpoolFile implements Spool {
  readonly writer: Writable;
  readonly reader: Readable;
  readonly #room: Room;
  readonly #file: FileHandle;
  #written = 0;
  #taken = 0;
  #unchecked = 0;
  #ended = false;
  /** The reader waits for more to be written. */
  #waits = false;
  /** Bytes of the room that are this file's. */
  #held = 0;
  #closed = false;

  constructor(room: Room, file: FileHandle) {
    this.#room = room;
    this.#file = file;
    this.writer = this.#createWriter();
    this.reader = this.#createReader();
    // Writer and reader hear of it, but there may be nobody yet, or no more.
    for (const stream of [this.writer, this.reader]) stream.on('error', () => undefined);
    this.#keepPace();
  }

  #createWriter(): Writable {
    return new Writable({
      highWaterMark: AT_ONCE,
      write: (chunk: Buffer, _encoding, done) => {
        this.#append(chunk).then(() => done(), done);
      },
      final: (done) => {
        this.#ended = true;
        this.#wake();
        done();
      },
      destroy: (error, done) => {
        // A reader must not take for the end what is none.
        if (!this.#ended) this.reader.destroy(error ?? new Error('the writer broke off'));
        done(error);
      },
    });
  }

  #createReader(): Readable {
    return new Readable({
      highWaterMark: AT_ONCE,
      read: () => this.#read(),
      destroy: (error, done) => {
        if (!this.#ended) this.writer.destroy(error ?? new Error('the reader has gone'));
        this.#close().then(() => done(error), done);
      },
    });
  }

  async #append(chunk: Buffer): Promise<void> {
    this.#unchecked += chunk.length;
    if (this.#unchecked >= CHECK_AFTER || this.#room.used + chunk.length > this.#room.options.maxBytes) {
      await this.#room.require(chunk.length);
      this.#unchecked = 0;
    }
    if (this.#closed) throw new Error('the reader has gone');
    this.#room.used += chunk.length;
    this.#held += chunk.length;
    for (let from = 0; from < chunk.length; ) {
      const { bytesWritten } = await this.#file.write(chunk, from, chunk.length - from, this.#written + from);
      from += bytesWritten;
    }
    this.#written += chunk.length;
    this.#wake();
  }

  #wake(): void {
    if (!this.#waits) return;
    this.#waits = false;
    this.#read();
  }

  #read(): void {
    const length = Math.min(AT_ONCE, this.#written - this.#taken);
    if (length === 0) {
      if (this.#ended) this.reader.push(null);
      else this.#waits = true;
      return;
    }
    const from = this.#taken;
    this.#taken += length;
    this.#file.read(Buffer.allocUnsafe(length), 0, length, from).then(
      ({ buffer, bytesRead }) => {
        if (bytesRead === length) this.reader.push(buffer);
        else this.reader.destroy(new Error('the spool file is shorter than what was written'));
      },
      (error: Error) => this.reader.destroy(error),
    );
  }

  /** Cuts the reader off that leaves unread what has long been there. */
  #keepPace(): void {
    const { bytes, ms } = this.#room.options.pace;
    let begin = 0;
    let looks = 0;
    let wasUnread = false;
    const timer = setInterval(() => {
      const delivered = this.#taken - this.reader.readableLength;
      const isUnread = delivered < this.#written;
      // Time in which there was nothing to read is the writer's.
      if (wasUnread && isUnread) looks += 1;
      wasUnread = isUnread;
      if (looks < LOOKS) return;
      const took = delivered - begin;
      if (took < bytes) this.reader.destroy(new ReaderTooSlow(`the reader took ${took} bytes in ${ms} ms`));
      begin = delivered;
      looks = 0;
    }, ms / LOOKS);
    timer.unref();
    this.reader.once('close', () => clearInterval(timer));
  }

  async #close(): Promise<void> {
    this.#closed = true;
    // Waits for what is being read and written.
    await this.#file.close();
    this.#room.used -= this.#held;
  }
}

export function createSpoolRoom(options: SpoolOptions): SpoolRoom {
  const room = new Room(options);
  return {
    async open(expected) {
      await room.prepare();
      await room.require(expected);
      return new SpoolFile(room, await openNameless(options.directory));
    },
    get used() {
      return room.used;
    },
  };
}
