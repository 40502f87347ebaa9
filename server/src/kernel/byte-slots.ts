/**
 * Room for many small records of bytes in common blocks: as many buffers as there are records are what collecting garbage costs. Room that is
 * given back is taken anew, and a block goes once nobody has any of it.
 */

/** Room for one record: `room` bytes of `view` from `at` on. */
export interface Slot {
  readonly view: DataView;
  readonly at: number;
  readonly room: number;
  readonly block: Block;
}

/** Slots of one size. */
interface Block {
  /** How many there are, and those that nobody has. */
  slots: number;
  free: Slot[];
}

export class ByteSlots {
  /** Bytes of all blocks. */
  bytes = 0;
  readonly #blockBytes: number;
  /** By size of their slots, blocks with some that nobody has. */
  readonly #open = new Map<number, Set<Block>>();

  constructor(blockBytes: number) {
    this.#blockBytes = blockBytes;
  }

  take(room: number): Slot {
    const open = this.#open.get(room) ?? new Set();
    this.#open.set(room, open);
    const block: Block = open.values().next().value ?? this.#makeBlock(room, open);
    const slot = block.free.pop() as Slot;
    if (block.free.length === 0) open.delete(block);
    return slot;
  }

  giveBack(slot: Slot): void {
    const { block, room, view } = slot;
    block.free.push(slot);
    const open = this.#open.get(room);
    if (block.free.length < block.slots) open?.add(block);
    else {
      open?.delete(block);
      this.bytes -= view.byteLength;
    }
  }

  #makeBlock(room: number, open: Set<Block>): Block {
    const slots = Math.max(1, Math.floor(this.#blockBytes / room));
    const view = new DataView(new ArrayBuffer(slots * room));
    const block: Block = { slots, free: [] };
    for (let at = 0; at < view.byteLength; at += room) block.free.push({ view, at, room, block });
    open.add(block);
    this.bytes += view.byteLength;
    return block;
  }
}
