/** English texts that come with the first page of figures, protection or setting up. A key that is missing or too many is a type error. */

import type { later as german } from '../de/later.ts';
import type { Texts } from '../de.ts';
import { anbindung, erststart } from './anbindung.ts';
import { antraege } from './antraege.ts';
import { befunde } from './befunde.ts';
import { budgets } from './budgets.ts';
import { codingAgents } from './coding-agents.ts';
import { csv } from './csv.ts';
import { eingriffe } from './eingriffe.ts';
import { code } from './fehler.ts';
import { importe } from './importe.ts';
import { kontingente } from './kontingente.ts';
import { laeufe } from './laeufe.ts';
import { neubepreisung } from './neubepreisung.ts';
import { preise } from './preise.ts';
import { quellen } from './quellen.ts';
import { regeln } from './regeln.ts';
import { schluessel } from './schluessel.ts';
import { weitereBegriffe } from './weitere-begriffe.ts';
import { zwilling } from './zwilling.ts';

export const later: Texts<typeof german> = {
  anbindung,
  antraege,
  befunde,
  begriffe: weitereBegriffe,
  budgets,
  code,
  codingAgents,
  csv,
  eingriffe,
  erststart,
  importe,
  kontingente,
  laeufe,
  neubepreisung,
  preise,
  quellen,
  regeln,
  schluessel,
  zwilling,
};
