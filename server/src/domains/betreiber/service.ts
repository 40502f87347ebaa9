/** What operators do to a Mandant. */
import type { BodyOf, mandantAendern } from '#contracts';
import { lockForOperator, updateForOperator } from '#domains/mandant/index.ts';
import {
  type Acting,
  actOnMandant,
  asSeenByMandant,
  changedFields,
  type OperatorDatabase,
  recordChange,
} from '#domains/protokoll/index.ts';
import { notFound } from '#kernel/errors.ts';
import { toInstantOrNull } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type Stand, standAfterWish } from './rules.ts';

const AKTION = 'mandant.vom_betreiber_geaendert';

/** What logs say of it: the note is the operator's, and the logs are not where it is forgotten. */
const forLog = ({ betreiber_notiz: _notiz, paket_bis, ...stand }: Stand) => ({
  ...stand,
  paket_bis: toInstantOrNull(paket_bis),
});

/**
 * Changes package, billing status, quota and note of a Mandant, as `standAfterWish` says; both logs get their entry unless nothing changes.
 * Resolves with whether something did. Throws 404 for an unknown Mandant and InvalidInput.
 */
export const changeMandant = (
  db: OperatorDatabase,
  mandant: MandantId,
  wish: BodyOf<typeof mandantAendern>,
  acting: Acting,
): Promise<boolean> =>
  actOnMandant(db, acting, mandant, async (tx) => {
    const before = await lockForOperator(tx);
    if (!before) throw notFound({ de: 'Diesen Mandanten', en: 'This Mandant' });
    const after = standAfterWish(before, wish, before.zeitzone);
    const { firma, zeitzone: _zone, ...stand } = before;
    const noteChanged = stand.betreiber_notiz !== after.betreiber_notiz;
    const fields = changedFields(forLog(stand), forLog(after));
    if (!fields && !noteChanged) return { result: false, act: null };
    await updateForOperator(tx, mandant, after);
    const change = {
      aktion: AKTION,
      vorher: fields?.vorher ?? null,
      nachher: { ...fields?.nachher, ...(noteChanged ? { notiz_geaendert: true } : {}) },
    };
    const objekt = { art: 'mandant', id: mandant };
    await recordChange(tx, mandant, acting.now, {
      ...change,
      akteur: asSeenByMandant(acting.akteur),
      objekt: { ...objekt, name: firma },
    });
    return { result: true, act: { ...change, objekt } };
  });
