import { describe, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Admission, createAdmission, type Room } from './admission.ts';

const limits = { bytes: 300, requests: 30 };
const [A, B] = ['a', 'b'].map((digit) => mandantId(`00000000-0000-4000-8000-00000000000${digit}`));
const someone = (index: number) => mandantId(`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`);
type Holder = Parameters<Room['assignTo']>[0];

function take(admission: Admission, holder: Holder, bytes: number): Room {
  const room = admission.admit();
  try {
    room.assignTo(holder);
    room.resizeTo(bytes);
    return room;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'unavailable', code: 'ueberlastet', retryAfter: 1 });
    room.release();
    throw error;
  }
}

/** Takes rooms of these bytes until there are no more. */
function fill(admission: Admission, holder: Holder, bytes: number): Room[] {
  const rooms: Room[] = [];
  for (;;) {
    try {
      rooms.push(take(admission, holder, bytes));
    } catch {
      return rooms;
    }
  }
}

describe.each([
  ['a Mandant', A as Holder],
  ['everybody without one', null],
])('%s', (_name, holder) => {
  test('gets two thirds when alone, and leaves the rest to others', () => {
    const admission = createAdmission(limits);
    expect(fill(admission, holder, 50)).toHaveLength(4);
    expect(fill(admission, holder, 1)).toHaveLength(0);
    // Two thirds of the third that is left.
    expect(fill(admission, B as Holder, 11)).toHaveLength(6);
    expect(fill(admission, B as Holder, 1)).toHaveLength(0);
  });

  test('cannot take all requests either', () => {
    const admission = createAdmission(limits);
    expect(fill(admission, holder, 0)).toHaveLength(20);
    expect(fill(admission, B as Holder, 0)).toHaveLength(6);
  });
});

test('several that take all they get leave something to the next', () => {
  const admission = createAdmission({ bytes: 48_000, requests: 1_000_000 });
  for (let index = 0; index < 4; index += 1) fill(admission, someone(index), 10);
  expect(fill(admission, B as Holder, 10).length).toBeGreaterThan(30);
});

test('what is given back can be taken again, once', () => {
  const admission = createAdmission(limits);
  for (let round = 0; round < 3; round += 1) {
    const rooms = fill(admission, A as Holder, 50);
    expect(rooms).toHaveLength(4);
    for (const room of rooms) {
      room.resizeTo(10);
      room.release();
      room.release();
    }
  }
  expect(fill(admission, B as Holder, 200)).toHaveLength(1);
});

test('a room that was given back before its holder was known takes nothing any more', () => {
  const admission = createAdmission(limits);
  for (let round = 0; round < 100; round += 1) {
    const room = admission.admit();
    room.release();
    room.assignTo(A as Holder);
    room.resizeTo(100);
  }
  expect(fill(admission, B as Holder, 200)).toHaveLength(1);
});

test('requests whose holder is not known yet count as well', () => {
  const admission = createAdmission(limits);
  for (let count = 0; count < limits.requests; count += 1) admission.admit();
  expect(() => admission.admit()).toThrow(expect.objectContaining({ kind: 'unavailable' }));
});
