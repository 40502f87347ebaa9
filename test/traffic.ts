/** What a page costs its reader: what goes over the wire, heads and all. */
import type { Page } from 'playwright-core';

export interface Traffic {
  bytes: number;
  requests: number;
}

/** Counts what has come, from now on. */
export async function countTraffic(page: Page): Promise<Traffic> {
  const session = await page.context().newCDPSession(page);
  const traffic: Traffic = { bytes: 0, requests: 0 };
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    traffic.bytes += encodedDataLength;
    traffic.requests += 1;
  });
  await session.send('Network.enable');
  return traffic;
}
