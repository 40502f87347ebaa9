export { createApp } from './app.ts';
export { fileBody } from './aside/files.ts';
export { type ReadAside, readAside } from './aside/thread.ts';
export { type Check, compileCheck } from './check/index.ts';
export { createHostCookie, createSessionCookie, type HostCookie } from './cookie.ts';
export { InvalidRequest, speak, tooLarge, UnreadableBody } from './errors.ts';
export type { BodyReader, GeneralReader, ReadBody } from './readers.ts';
export {
  type Call,
  Content,
  type OperatorRoute,
  operatorRoutes,
  type Route,
  type RouteOptions,
  route,
} from './route.ts';
