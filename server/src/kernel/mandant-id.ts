declare const brand: unique symbol;

/** The id of a Mandant (canonical lower-case UUID). Branded so that no other text passes for one. */
export type MandantId = string & { readonly [brand]: 'MandantId' };

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Throws on anything but a canonical UUID: the value is put into SQL as a literal (`SET LOCAL`). */
export function mandantId(text: string): MandantId {
  if (!CANONICAL.test(text)) throw new TypeError('not a Mandant id');
  return text as MandantId;
}
