import { changeMandant, readWish } from '#domains/betreiber/index.ts';
import { readMandantId } from './arguments.ts';
import { type Command, CommandRefused } from './command.ts';

/** `feld=wert` as a field of the operation; an empty value clears. */
function fieldsOf(settings: readonly string[]): Record<string, string | null> {
  const pairs = settings.map((setting) => {
    const at = setting.indexOf('=');
    if (at < 1) throw new CommandRefused(`„${setting}“ hat nicht die Form feld=wert.`);
    return [setting.slice(0, at), setting.slice(at + 1) || null] as const;
  });
  return Object.fromEntries(pairs);
}

export const mandantAendern: Command = {
  name: 'mandant-aendern',
  argumente: ['mandant_id', 'feld=wert'],
  weitere: true,
  zweck:
    'ändert paket, paket_bis, abrechnungsstatus, betreiber_notiz, anfragen_je_minute oder ereignisse_je_minute; ein leerer Wert löscht',
  async run({ owner, akteur, clock, print }, [id, ...settings]) {
    const mandant = readMandantId(id);
    const wish = readWish(fieldsOf(settings));
    if ('problem' in wish) throw new CommandRefused(wish.problem);
    const changed = await changeMandant(owner, mandant, wish.wish, { akteur, now: clock.now() });
    print(changed ? 'Der Mandant ist geändert.' : 'Es bleibt alles, wie es ist.');
  },
};
