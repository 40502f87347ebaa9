/** Refusals around agents and projects. */
import { notFound } from '#kernel/errors.ts';

export const agentMissing = () => notFound({ de: 'Diesen Agenten', en: 'This agent' });
export const projectMissing = () => notFound({ de: 'Dieses Projekt', en: 'This project' });
