/** Passing costs on: the way from the figures of an end customer to their statement. */
export { StatementLink } from './statement-link.tsx';
