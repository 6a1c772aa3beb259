import type { Feature } from '../../feature.ts';
import { messageJobs, messageReactions } from './jobs.ts';
import { mountMessageMedia } from './media/routes.ts';
import { mountMessages } from './routes.ts';

export const feature: Feature = {
  routes: [mountMessages, mountMessageMedia],
  jobs: messageJobs,
  reactions: messageReactions,
};
