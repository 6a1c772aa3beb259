import {
  appealOutsiderReport,
  fileOutsiderReport,
  getOutsiderChallenge,
  type OutsiderFields,
  openOutsiderLink,
} from '#contract/moderation/outsider-reports.ts';
import { call } from '../../../api/call.ts';
import { endpointQuery, useCommand } from '../../../api/endpoint-query.ts';
import { queryClient } from '../../../api/query-client.ts';
import { solve } from './solve.ts';

/** Sends an outsider report, with a challenge that is solved first. */
export async function sendOutsiderReport(fields: OutsiderFields): Promise<void> {
  const { data } = await call(getOutsiderChallenge);
  const proof = { challenge: data.challenge, counter: await solve(data) };
  await call(fileOutsiderReport, { body: { ...fields, proof } });
}

/** The outsider reports from the address that a link was mailed to. */
export const ownOutsiderReportsQuery = (token: string) => endpointQuery(openOutsiderLink, { body: { token } });

/** Appeals the decision about one of these reports. */
export const useOutsiderAppeal = (token: string) =>
  useCommand(appealOutsiderReport, (given: { noticeId: string; text: string }) => ({ body: { token, ...given } }), {
    onSuccess: (data) => queryClient.setQueryData(ownOutsiderReportsQuery(token).queryKey, data),
  });
