/**
 * The columns of FOCUS 1.2, the FinOps Open Cost and Usage Specification (focus.finops.org/focus-specification/v1-2, CC BY 4.0), by
 * its requirements for each of them, in our own words.
 */
import { CATEGORIES, SUBCATEGORIES } from './services.ts';

export type Type = 'text' | 'decimal' | 'instant' | 'object' | 'currency';

/** Whether a file without the column is wrong, lacks what is recommended, or may do without. */
type Presence = 'mandatory' | 'recommended' | 'conditional';

/**
 * Whether a cell may be empty: `never`; `always` allowed; `charge`: not in usage and purchases but for corrections, and always in taxes;
 * `usage`: not in usage but for corrections, and always in anything else; `with` another column: where that is and only there;
 * `without` another column: where that is, and may be elsewhere.
 */
export type Empty = 'never' | 'always' | 'charge' | 'usage' | { with: string } | { without: string };

export interface Column {
  id: string;
  type: Type;
  presence: Presence;
  empty: Empty;
  allowed: readonly string[] | null;
  meaning: string;
}

type More = Partial<Pick<Column, 'type' | 'presence' | 'allowed'>>;

const column = (id: string, empty: Empty, meaning: string, more: More = {}): Column => ({
  id,
  type: 'text',
  presence: 'conditional',
  allowed: null,
  ...more,
  empty,
  meaning,
});

const MANDATORY = { presence: 'mandatory' } as const;
const COST = { presence: 'mandatory', type: 'decimal' } as const;
const INSTANT = { presence: 'mandatory', type: 'instant' } as const;
const DECIMAL = { type: 'decimal' } as const;
const DISCOUNT = 'CommitmentDiscountId';
const USE = ['Used', 'Unused'];

export const COLUMNS: readonly Column[] = [
  column('AvailabilityZone', 'always', 'Isolated area within a region'),
  column('BilledCost', 'never', 'What is invoiced, in the billing currency', COST),
  column('BillingAccountId', 'never', 'Account that is billed', MANDATORY),
  column('BillingAccountName', 'always', 'Name of that account', MANDATORY),
  column('BillingAccountType', { with: 'BillingAccountId' }, 'What kind of account it is'),
  column('BillingCurrency', 'never', 'Currency of the invoice', { ...MANDATORY, type: 'currency' }),
  column('BillingPeriodEnd', 'never', 'End of the billing period, not part of it', INSTANT),
  column('BillingPeriodStart', 'never', 'Beginning of the billing period', INSTANT),
  column('CapacityReservationId', 'always', 'Reservation of capacity'),
  column('CapacityReservationStatus', { without: 'CapacityReservationId' }, 'Whether it was used', {
    allowed: USE,
  }),
  column('ChargeCategory', 'never', 'Nature of the charge', {
    ...MANDATORY,
    allowed: ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'],
  }),
  column('ChargeClass', 'always', 'Whether it corrects a billing period that was invoiced before', {
    ...MANDATORY,
    allowed: ['Correction'],
  }),
  column('ChargeDescription', 'always', 'The charge in words', MANDATORY),
  column('ChargeFrequency', 'never', 'How often it occurs', {
    presence: 'recommended',
    allowed: ['One-Time', 'Recurring', 'Usage-Based'],
  }),
  column('ChargePeriodEnd', 'never', 'End of the time it is for, not part of it', INSTANT),
  column('ChargePeriodStart', 'never', 'Beginning of the time it is for', INSTANT),
  column('CommitmentDiscountCategory', { with: DISCOUNT }, 'Commitment to quantity or to cost', {
    allowed: ['Spend', 'Usage'],
  }),
  column(DISCOUNT, 'always', 'Discount for a commitment'),
  column('CommitmentDiscountName', { without: DISCOUNT }, 'Name of it'),
  column('CommitmentDiscountQuantity', 'always', 'Quantity of it', DECIMAL),
  column('CommitmentDiscountStatus', { without: DISCOUNT }, 'Whether it was used', { allowed: USE }),
  column('CommitmentDiscountType', { with: DISCOUNT }, 'What kind of discount it is'),
  column('CommitmentDiscountUnit', { with: 'CommitmentDiscountQuantity' }, 'Unit of its quantity'),
  column('ConsumedQuantity', 'usage', 'How much was used', DECIMAL),
  column('ConsumedUnit', { with: 'ConsumedQuantity' }, 'Unit of what was used'),
  column('ContractedCost', 'never', 'Cost at the agreed unit price', COST),
  column('ContractedUnitPrice', 'charge', 'Agreed price of a pricing unit', DECIMAL),
  column('EffectiveCost', 'never', 'Cost with all discounts, prepaid parts spread over time', COST),
  column('InvoiceId', 'always', 'Invoice the charge is on', { presence: 'recommended' }),
  column('InvoiceIssuerName', 'never', 'Who invoices', MANDATORY),
  column('ListCost', 'never', 'Cost at the published unit price', COST),
  column('ListUnitPrice', 'charge', 'Published price of a pricing unit', DECIMAL),
  column('PricingCategory', 'charge', 'Model of pricing', {
    allowed: ['Standard', 'Committed', 'Dynamic', 'Other'],
  }),
  column('PricingCurrency', 'never', 'Currency of the prices', { type: 'currency' }),
  column(
    'PricingCurrencyContractedUnitPrice',
    'charge',
    'Agreed unit price in the pricing currency',
    DECIMAL,
  ),
  column('PricingCurrencyEffectiveCost', 'never', 'Effective cost in the pricing currency', DECIMAL),
  column('PricingCurrencyListUnitPrice', 'charge', 'Published unit price in the pricing currency', DECIMAL),
  column('PricingQuantity', 'charge', 'How much is priced', COST),
  column('PricingUnit', { with: 'PricingQuantity' }, 'Unit of what is priced', MANDATORY),
  column('ProviderName', 'never', 'Who sells the service', MANDATORY),
  column('PublisherName', 'never', 'Who made it', MANDATORY),
  column('RegionId', 'always', 'Region it runs in'),
  column('RegionName', { with: 'RegionId' }, 'Name of the region'),
  column('ResourceId', 'always', 'Resource that was provisioned'),
  column('ResourceName', { without: 'ResourceId' }, 'Name of the resource'),
  column('ResourceType', { with: 'ResourceId' }, 'What kind of resource it is'),
  column('ServiceCategory', 'never', 'Core function of the service', { ...MANDATORY, allowed: CATEGORIES }),
  column('ServiceName', 'never', 'Offering that was used', MANDATORY),
  column('ServiceSubcategory', 'never', 'Second level of its function', {
    presence: 'recommended',
    allowed: Object.keys(SUBCATEGORIES),
  }),
  column('SkuId', 'charge', 'Good or service that is priced'),
  column('SkuMeter', { without: 'SkuId' }, 'What of it is measured'),
  column('SkuPriceDetails', { without: 'SkuPriceId' }, 'Properties of its price', { type: 'object' }),
  column('SkuPriceId', 'charge', 'Price of it in the price list'),
  column('SubAccountId', 'always', 'Part of the account the charge belongs to'),
  column('SubAccountName', { with: 'SubAccountId' }, 'Name of that part'),
  column('SubAccountType', { with: 'SubAccountId' }, 'What kind of part it is'),
  column('Tags', 'always', 'Tags as keys and values', { type: 'object' }),
];

/** What a unit price and the pricing quantity must come to; a cost without a unit price is what is billed. */
export const PRODUCTS = [
  { price: 'ListUnitPrice', cost: 'ListCost' },
  { price: 'ContractedUnitPrice', cost: 'ContractedCost' },
] as const;

/** Prices, which are never below 0. */
export const isUnitPrice = (id: string): boolean => id.endsWith('UnitPrice');

/** Columns of one's own begin so. */
export const isCustom = (id: string): boolean => id.startsWith('x_');
