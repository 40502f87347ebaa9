/** How end customers are called. */

/** The name, where people gave one, else the reference. */
export const nameOf = ({ name, referenz }: { name: string | null; referenz: string }): string =>
  name ?? referenz;
