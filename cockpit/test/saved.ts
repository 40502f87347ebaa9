/** What a page saves as files, where a browser would put them into a folder. */
import { vi } from 'vitest';

/** Files that are saved from now on until the end of the test. */
export function saved(): File[] {
  const files: File[] = [];
  const blobs = new Map<string, Blob>();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    const address = `blob:${blobs.size}`;
    blobs.set(address, blob as Blob);
    return address;
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const blob = blobs.get(this.getAttribute('href') ?? '');
    if (blob) files.push(new File([blob], this.download));
  });
  return files;
}
