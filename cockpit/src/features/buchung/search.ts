/** What the payment provider's page leads back with. */
export interface PackageSearch {
  buchung?: 'erfolgt' | 'abgebrochen' | undefined;
}

/** Reads the query of an address; what cannot be understood is as if it were not there. */
export const parsePackageSearch = ({ buchung }: Record<string, unknown>): PackageSearch => ({
  buchung: buchung === 'erfolgt' || buchung === 'abgebrochen' ? buchung : undefined,
});
