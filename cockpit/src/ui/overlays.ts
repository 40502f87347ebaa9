/** What lies above a page once somebody asks for it, with the library it is made of: one file, which no page needs before. */
export { DialogPanel } from './dialog-panel.tsx';
export { MenuPanel } from './menu-panel.tsx';
export { TermPanel } from './term-panel.tsx';
