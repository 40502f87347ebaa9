/** What the service and the process of the engine say to each other. */
import type { SumsAnswer, SumsQuestion } from './question.ts';

/** Where and how large the local copy is. */
export interface LocalCopy {
  /** Folder of the copies of all processes. */
  folder: string;
  /** Bytes that it should not grow beyond. */
  bytes: number;
  /** Bytes that adding up may take. */
  memory: number;
  threads: number;
  /** Rows of a piece from which on its days are added up. */
  addedUpFrom: number;
  /** Rows from which on they are written later: questions read them as they came until then. */
  writtenLaterFrom: number;
  /** The process before ended over its file, which is not opened again. */
  isSuspect?: boolean;
}

/** Questions that are answered of the same pieces. */
export interface AskMessage {
  kind: 'ask';
  mandant: string;
  questions: readonly SumsQuestion[];
  /** The marks of all pieces that have calls of one of the windows. */
  marken: readonly string[];
}

export interface PackedPiece {
  marke: string;
  daten: Uint8Array;
}

export interface LoadMessage {
  kind: 'load';
  mandant: string;
  pieces: readonly PackedPiece[];
}

export type EngineTask = (AskMessage | LoadMessage) & { id: number };
/** `cancel` ends the question under way, `stop` the process. */
export type EngineMessage = EngineTask | { kind: 'cancel'; id: number } | { kind: 'stop' };

/** The answers in the order of the questions, or the marks of pieces that have to be loaded first. */
export type AskResult = { answers: SumsAnswer[] } | { missing: string[] };

/** `memory`: it takes more than there is; `cancelled`: as told; `fault`: anything else. */
export interface TaskFailure {
  reason: 'memory' | 'cancelled' | 'fault';
  message: string;
}

/** `unable` is the last one of a process that cannot have the engine at all. */
export type EngineReport =
  | { kind: 'ready' }
  | { kind: 'unable'; message: string }
  | { kind: 'done'; id: number; result: unknown; memory: number }
  | { kind: 'failed'; id: number; failure: TaskFailure; memory: number };
