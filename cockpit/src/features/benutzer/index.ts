/** Users: what other pages need to know of their roles. */
export { rolesUpTo } from './role-rules.ts';
