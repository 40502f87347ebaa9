/** Where an archive is saved: straight into a file where the browser lets one choose it, else as a download. */
import { saveBlob } from '../../ui/save-file.ts';
import type { Sink } from './receive.ts';

/** So much is held by the page itself before it is handed to the browser, which keeps large data on disk. */
const HELD = 8 * 1024 * 1024;

interface FileHandle {
  createWritable(): Promise<Sink>;
}

/** Not every browser has it, and none without HTTPS. */
interface WithPicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileHandle>;
}

/** Opens the place an archive goes to; `fileName` is the service's name for it. */
export type Target = (fileName: string) => Promise<Sink>;

const isDismissal = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

function downloadSink(fileName: string): Sink {
  const blobs: Blob[] = [];
  let held: Uint8Array<ArrayBuffer>[] = [];
  let heldBytes = 0;
  const hand = () => {
    blobs.push(new Blob(held));
    held = [];
    heldBytes = 0;
  };
  return {
    async write(piece) {
      held.push(piece);
      heldBytes += piece.length;
      if (heldBytes >= HELD) hand();
    },
    async close() {
      hand();
      saveBlob(fileName, new Blob(blobs, { type: 'application/zip' }));
    },
    async abort() {
      blobs.length = 0;
    },
  };
}

/** Asks for the file, where that is possible; has to be called by a click. Null when the user chooses none. */
export async function chooseTarget(suggestedName: string): Promise<Target | null> {
  const { showSaveFilePicker } = window as WithPicker;
  if (!showSaveFilePicker) return async (fileName) => downloadSink(fileName);
  try {
    const handle = await showSaveFilePicker({ suggestedName });
    return () => handle.createWritable();
  } catch (error) {
    if (isDismissal(error)) return null;
    throw error;
  }
}
