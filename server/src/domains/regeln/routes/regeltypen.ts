import { regeltypen } from '#contracts';
import { route } from '#http/index.ts';
import { RULE_TYPES } from '../types.ts';

export const regeltypenRoute = () => route(regeltypen, async () => RULE_TYPES);
