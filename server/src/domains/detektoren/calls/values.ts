/** The values of a statement, and what stands for them in its text. */
export interface Values {
  all: unknown[];
  /** Adds one; returns its placeholder with this SQL type. */
  of(value: unknown, type: string): string;
}

export function createValues(): Values {
  const all: unknown[] = [];
  return { all, of: (value, type) => `$${all.push(value)}::${type}` };
}
