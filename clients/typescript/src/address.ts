/** The parts of an address; null where it is a path alone. */
export function urlOf(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
