export { type AppOptions, createApp } from './app.ts';
export { sessionCookieName } from './credentials.ts';
export { InvalidInput, tooLarge, valueError } from './errors.ts';
export type { Authenticator, KeyPrincipal, SessionPrincipal } from './principal.ts';
export { type Call, Content, JsonText, type Route, route } from './route.ts';
