/** `npm run demo` with its past in it, and a browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { buildCockpit } from './cockpit.ts';
import { createServiceProcess, type ServiceProcess } from './service-process.ts';
import { until } from './until.ts';

const FILLED_WITHIN = 400_000;

interface Remembered {
  email: string;
  passwort: string;
  gefuellt: boolean;
}

export interface FilledDemo {
  service: ServiceProcess;
  browser: Browser;
  login: Pick<Remembered, 'email' | 'passwort'>;
  dispose(): Promise<void>;
}

/** Starts the demo, and waits for the 30 days before its first start. */
export async function startFilledDemo(): Promise<FilledDemo> {
  await buildCockpit();
  const service = createServiceProcess({}, { entry: 'demo/start.ts' });
  const remembered = () => JSON.parse(readFileSync(join(service.dataDir, 'demo.json'), 'utf8')) as Remembered;
  try {
    const [browser] = await Promise.all([launchBrowser(), service.start()]);
    await until('the past to be filled', () => remembered().gefuellt, FILLED_WITHIN);
    const dispose = async () => {
      await browser.close();
      await service.dispose();
    };
    return { service, browser, login: remembered(), dispose };
  } catch (error) {
    await service.dispose();
    throw error;
  }
}
