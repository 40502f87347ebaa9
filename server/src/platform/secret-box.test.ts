import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSecretBox, loadSecretKey } from './secret-box.ts';

let parent: string;
let dataDir: string;
let file: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'zw-key-'));
  dataDir = join(parent, 'data');
  file = join(dataDir, 'schluessel.key');
});
afterEach(() => rmSync(parent, { recursive: true }));

const MODULE = join(import.meta.dirname, 'secret-box.ts');

/** Loads the key in a process of its own, which dies at the given call of fsync (0: it lives); resolves with the key. */
async function loadElsewhere(diesAt = 0): Promise<string> {
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { fsyncSync } = fs;
    let calls = 0;
    fs.fsyncSync = (fd) => ++calls === ${diesAt} ? process.kill(process.pid, 'SIGKILL') : fsyncSync(fd);
    syncBuiltinESMExports();
    const { loadSecretKey } = await import(${JSON.stringify(MODULE)});
    process.stdout.write(loadSecretKey(null, ${JSON.stringify(dataDir)}).toString('base64'));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [key, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  expect({ code, signal, errors }).toEqual(
    diesAt === 0 ? { code: 0, signal: null, errors: '' } : { code: null, signal: 'SIGKILL', errors: '' },
  );
  return key;
}

describe('the key of the installation', () => {
  test('is made once, for its owner alone, and nothing else is left', () => {
    const key = loadSecretKey(null, dataDir);
    expect(key).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(`${key.toString('base64')}\n`);
    expect(readdirSync(dataDir)).toEqual(['schluessel.key']);
    expect(loadSecretKey(null, dataDir)).toEqual(key);
  });

  test('is the configured one where there is one, and no file is made', () => {
    const configured = Buffer.alloc(32, 7);
    expect(loadSecretKey(configured.toString('base64'), dataDir)).toEqual(configured);
    expect(readdirSync(parent)).toEqual([]);
  });

  test('is not there at all after a crash while it is written', async () => {
    await loadElsewhere(1);
    expect(readdirSync(dataDir)).not.toContain('schluessel.key');
    for (const name of readdirSync(dataDir)) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
    expect(loadSecretKey(null, dataDir)).toHaveLength(32);
  });

  test('is there as a whole after a crash once it has its name', async () => {
    await loadElsewhere(2);
    const written = Buffer.from(readFileSync(file, 'utf8'), 'base64');
    expect(written).toHaveLength(32);
    expect(loadSecretKey(null, dataDir)).toEqual(written);
  });

  test('is one, though several processes start at once', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, () => loadElsewhere()));
    expect(new Set(keys).size).toBe(1);
    expect(readdirSync(dataDir)).toEqual(['schluessel.key']);
  });

  test('stays what it is when it is there', () => {
    const key = loadSecretKey(null, dataDir);
    const other = Buffer.alloc(32, 1).toString('base64');
    writeFileSync(file, other);
    expect(loadSecretKey(null, dataDir)).not.toEqual(key);
    expect(readFileSync(file, 'utf8')).toBe(other);
  });
});

test('what is derived hangs on the key, the purpose and the subject', () => {
  const derive = (fill: number, purpose: string, subject: string) =>
    createSecretBox(Buffer.alloc(32, fill)).derive(purpose, subject).toString('hex');
  const all = [derive(1, 'a', 'b'), derive(2, 'a', 'b'), derive(1, 'a', 'c'), derive(1, 'c', 'b')];
  expect(new Set(all).size).toBe(4);
  expect(derive(1, 'a', 'b')).toBe(all[0]);
  expect(all[0]).toMatch(/^[0-9a-f]{64}$/);
});

describe('what is sealed', () => {
  test('opens with the same key, unchanged', () => {
    const [box, other] = [createSecretBox(Buffer.alloc(32, 1)), createSecretBox(Buffer.alloc(32, 2))];
    const sealed = box.seal(Buffer.from('geheim'));
    expect(box.open(sealed).toString()).toBe('geheim');
    expect(sealed.includes('geheim')).toBe(false);
    expect(() => other.open(sealed)).toThrow();
    for (const position of [0, 1, 13, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(position) ^ 1, position);
      expect(() => box.open(changed)).toThrow();
    }
  });
});
