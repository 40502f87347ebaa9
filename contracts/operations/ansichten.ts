/** Views of the cockpit that a user keeps under a name: a page with what its address says of it. */
import {
  boolean,
  component,
  datetime,
  field,
  formed,
  listOf,
  operation,
  optional,
  Type,
  text,
  uuid,
} from '../kit/index.ts';

/** As many as a user may keep. */
export const ANSICHTEN_MAX = 50;

/** Parts of plain characters: nothing a browser would read as another host, another folder or as something encoded. */
export const ANSICHT_PFAD = '^/([A-Za-z0-9_~-][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*)?$';

const name = () => text({ min: 1, max: 80 });
const pfad = () => formed(ANSICHT_PFAD, 200);
const suche = () => text({ max: 2000 });

const CALLED = 'What the user calls it.';
const PAGE =
  'Path of a page of the cockpit, without scheme, host and query; not one of the interface (`/v1/…`).';
const QUERY = 'Query of the address without the question mark: period, filter, comparison, order.';
const EXAMPLE = { name: 'Montagsrunde', pfad: '/aufschluesselung', suche: 'zeitraum=30tage&nach=modell' };

export const Ansicht = component('Ansicht', 'A page of the cockpit as a user wants to see it again.', {
  ansicht_id: field(uuid(), 'Names the view.'),
  name: field(text(), CALLED, EXAMPLE.name),
  pfad: field(text(), PAGE, EXAMPLE.pfad),
  suche: field(text(), QUERY, EXAMPLE.suche),
  erstellt_am: field(datetime(), 'When it was created.'),
  geaendert_am: field(datetime(), 'When it was last changed.'),
});

export const ansichten = operation({
  id: 'ansichten.liste',
  method: 'GET',
  path: '/v1/cockpit/ansichten',
  summary: 'Die gespeicherten Ansichten des angemeldeten Benutzers.',
  description: 'The views of the signed-in user, by name. Nobody sees those of another user.',
  access: { kind: 'session', right: 'selbst' },
  response: component('Ansichtenliste', 'Views of a user.', {
    ansichten: field(listOf(Ansicht, ANSICHTEN_MAX), 'The views, by name.'),
  }),
});

export const ansichtAnlegen = operation({
  id: 'ansichten.anlegen',
  method: 'POST',
  path: '/v1/cockpit/ansichten',
  summary: 'Speichert eine Ansicht unter einem Namen.',
  description: `Keeps a view under a name that none of the own views has. A user keeps at most ${ANSICHTEN_MAX}.`,
  access: { kind: 'session', right: 'selbst' },
  refuses: { 409: ['ansicht_name_vergeben', 'ansichten_zu_viele'] },
  body: component('AnsichtAnlegen', 'A view to keep.', {
    name: field(name(), CALLED, EXAMPLE.name),
    pfad: field(pfad(), PAGE, EXAMPLE.pfad),
    suche: field(suche(), QUERY, EXAMPLE.suche),
  }),
  status: 201,
  response: Ansicht,
});

const ofOne = { ansicht_id: field(uuid(), 'The view.') };

export const ansichtAendern = operation({
  id: 'ansichten.aendern',
  method: 'PUT',
  path: '/v1/cockpit/ansichten/{ansicht_id}',
  summary: 'Benennt eine eigene Ansicht um oder überschreibt, was sie zeigt.',
  description: 'Changes what is given of an own view.',
  access: { kind: 'session', right: 'selbst' },
  refuses: { 409: ['ansicht_name_vergeben'] },
  params: Type.Object(ofOne),
  body: component('AnsichtAendern', 'What to change; a field left out or null stays.', {
    name: field(optional(name()), CALLED, EXAMPLE.name),
    pfad: field(optional(pfad()), PAGE, EXAMPLE.pfad),
    suche: field(optional(suche()), QUERY, EXAMPLE.suche),
  }),
  response: Ansicht,
});

export const ansichtEntfernen = operation({
  id: 'ansichten.entfernen',
  method: 'DELETE',
  path: '/v1/cockpit/ansichten/{ansicht_id}',
  summary: 'Entfernt eine eigene Ansicht.',
  description: 'Removes an own view.',
  access: { kind: 'session', right: 'selbst' },
  params: Type.Object(ofOne),
  response: component('AnsichtEntfernt', 'That a view is removed.', {
    entfernt: field(boolean(), 'Always true.'),
  }),
});
