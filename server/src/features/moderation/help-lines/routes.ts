import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/help-lines.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { addLine, changeLine, helpLines, removeLine } from './help-lines.ts';

/** Mounts the help lines of the safety centre. */
export function mountHelpLines(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, calls.listHelpLines).to(async () => ({ data: { lines: await helpLines(deps.db) } }));
  mount(app, deps, calls.addHelpLine).to(async (context) => ({
    data: { line: await addLine(context, context.body) },
  }));
  mount(app, deps, calls.changeHelpLine).to(async (context) => {
    await changeLine(context, { ...context.params, ...context.body });
    return {};
  });
  mount(app, deps, calls.removeHelpLine).to(async (context) => {
    await removeLine(context, context.params);
    return {};
  });
}
