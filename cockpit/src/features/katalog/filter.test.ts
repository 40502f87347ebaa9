import { describe, expect, it } from 'vitest';
import type { AgentZeile } from '../../api/types.ts';
import { filterAgents, projectsOf } from './filter.ts';

const figures = {
  kosten_eur: '0',
  kosten_usd: '0',
  aufrufe: 0,
  eingabe_token: 0,
  ausgabe_token: 0,
  cache_lese_token: 0,
  cache_schreib_token: 0,
  denk_token: 0,
  eingabe_ohne_cache: 0,
  ausgabe_gesamt: 0,
  aufgeteilt: 0,
  token: 0,
  fehler: 0,
  unbepreist: 0,
  teilbepreist: 0,
  geschaetzt: 0,
  verbranntes_geld_eur: '0',
  gemessen_eur: '0',
  geschaetzt_eur: '0',
  ersatz_eur: '0',
};

const agent = (schluessel: string, name: string, projekt: string): AgentZeile => ({
  agent_id: '00000000-0000-4000-8000-000000000000',
  schluessel,
  name,
  projekt,
  budget_eur: null,
  budget_bei_erreichen: null,
  eingriffsstufe: null,
  ruhezeit: null,
  erstellt_am: '2026-11-21T12:00:00.000Z',
  verbrauch: figures,
  letzter_aufruf_am: null,
});

const agents = [agent('angebot', 'Ölpreis-Agent', 'vertrieb'), agent('mail', 'mail', 'innen')];

describe('filterAgents', () => {
  it.each([
    [{ q: 'ÖLPREIS' }, ['angebot']],
    [{ q: 'ang' }, ['angebot']],
    [{ projekt: 'innen' }, ['mail']],
    [{ q: 'mail', projekt: 'vertrieb' }, []],
    [{}, ['angebot', 'mail']],
  ])('%j', (search, expected) => {
    expect(filterAgents(agents, search).map((found) => found.schluessel)).toEqual(expected);
  });
});

describe('projectsOf', () => {
  it('names each project once, by alphabet', () => {
    expect(projectsOf([...agents, ...agents])).toEqual(['innen', 'vertrieb']);
  });
});
