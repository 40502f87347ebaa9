/** Budgets. */
export const budgets = {
  title: 'Budgets',
} as const;
