/** Which errors say that the database is away, and which that it has refused: the former are answered with 503 and tried again. */
import { expect, test } from 'vitest';
import { isUnreachable } from './pool.ts';

const error = (message: string, code?: string) => Object.assign(new Error(message), code ? { code } : {});

test.each([
  ['terminating connection due to administrator command', '57P01'],
  ['could not connect', '08006'],
  ['connect ECONNREFUSED', 'ECONNREFUSED'],
  ['Connection terminated unexpectedly', undefined],
  // As a cluster says it when one of its nodes dies.
  ['postmaster was shut down, exiting', 'XX000'],
  ['could not commit transaction for shard 102032 on at least one active node', 'XX000'],
  [
    'connection to the remote node zaehlwerk@127.0.0.1:5433 failed with the following error: Connection refused',
    'XX000',
  ],
  ['connection not open', 'XX000'],
  ['server closed the connection unexpectedly', 'XX000'],
  ['the database system is starting up', 'XX000'],
])('%s (%s): it is away', (message, code) => {
  expect(isUnreachable(error(message, code))).toBe(true);
});

test.each([
  ['duplicate key value violates unique constraint', '23505'],
  ['cache lookup failed for relation 16384', 'XX000'],
  ['injected', 'XX000'],
  ['invalid page in block 5 of relation base/5/16384', 'XX001'],
  ['postmaster was shut down, exiting', '22000'],
  ['something else', undefined],
])('%s (%s): it has refused', (message, code) => {
  expect(isUnreachable(error(message, code))).toBe(false);
});
