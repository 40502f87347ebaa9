import { ich } from '#contracts';
import { type Route, route } from '#http/index.ts';
import { ichToApi } from '../to-api.ts';

export const ichRoute = (): Route => route(ich, async ({ principal }) => ichToApi(principal));
