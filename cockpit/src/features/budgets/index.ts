/** Budgets: the way to set one from the page of what it is of. */
export { BudgetButton } from './budget-dialog.tsx';
