/** The rules a Mandant begins with, put in as its registration would. */
export { putDefaults } from '#domains/regeln/put-defaults.ts';
