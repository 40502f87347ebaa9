/** Prices: the way to them from all pages that name calls without a price. */
export { PriceLink } from './price-link.tsx';
