/** Prices: the way to them from wherever calls without a price are told of. */
export { PriceLink } from './price-link.tsx';
