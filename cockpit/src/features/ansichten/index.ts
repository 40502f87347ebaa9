/** Views of the cockpit that the user keeps under a name. */
export { ViewsButton } from './views-button.tsx';
