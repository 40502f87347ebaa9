/** What the answers of one test file were: the operations that gave them, and what was wrong with any. */
export const answered = new Set<string>();

const faults: string[] = [];

export const addFault = (fault: string): void => {
  faults.push(fault);
};

/** What was wrong since the last time. */
export const takeFaults = (): string[] => faults.splice(0);
