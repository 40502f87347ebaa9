/** What axe finds without a browser: all of its rules but those that need colours and places. */
import axe from 'axe-core';

/** Colours, sizes and what scrolls only a browser knows. */
const NEED_LAYOUT = [
  'color-contrast',
  'link-in-text-block',
  'target-size',
  'scrollable-region-focusable',
] as const;
const rules = Object.fromEntries(NEED_LAYOUT.map((rule) => [rule, { enabled: false }]));

/** One line for every broken rule of the page as it stands, or of a part of it. */
export async function violations(part: Element = document.body): Promise<string[]> {
  const found = await axe.run(part, { resultTypes: ['violations'], rules });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
