import { issue } from '#domains/lizenzen/index.ts';
import { readCount, readLastDay } from './arguments.ts';
import type { Command } from './command.ts';
import { refused } from './licences.ts';

export const lizenzErzeugen: Command = {
  name: 'lizenz-erzeugen',
  argumente: ['kunde', 'paket', 'letzter_tag|unbegrenzt', 'mandanten'],
  zweck: 'stellt eine Lizenz für eine andere Installation aus',
  async run(context, [kunde = '', paket = '', day, mandanten]) {
    const { owner, akteur, config, clock, print } = context;
    const now = clock.now();
    const gueltig_bis = day === 'unbegrenzt' ? null : readLastDay(day, config.timeZone, now);
    const input = { kunde, paket, gueltig_bis, mandanten: readCount(mandanten) };
    const { lizenz, token, pruefschluessel } = await refused(issue(owner, context, input, { akteur, now }));
    print(`Lizenz ${lizenz.lizenz_id}, Fingerabdruck ${lizenz.fingerabdruck}`);
    print('Sie wird nicht aufbewahrt. Der Kunde setzt:');
    print('');
    print(`LIZENZ=${token}`);
    print(`LIZENZ_PRUEFSCHLUESSEL='${pruefschluessel}'`);
  },
};
