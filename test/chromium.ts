/** Which Chromium the tests use. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The Chromium to use: the one `CHROMIUM` names, one on the PATH, else the one that comes as a package. */
export async function findChromium(): Promise<string> {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  if (found) return found;
  const { default: packaged } = await import('@sparticuz/chromium');
  packaged.setGraphicsMode = false;
  return packaged.executablePath();
}

/**
 * Before the first of several workers asks: the package unpacks its browser when it is asked for the path, and what one of them is
 * still writing another cannot start.
 */
export default async function unpackChromium(): Promise<void> {
  await findChromium();
}
