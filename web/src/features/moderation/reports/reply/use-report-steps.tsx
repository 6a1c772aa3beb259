import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { ReportStatus, StaffReport } from '#contract/moderation/report.ts';
import { changeReportStatus, undoReportStatus } from '#contract/moderation/reports.ts';
import { ApiError } from '../../../../api/api-error.ts';
import { call } from '../../../../api/call.ts';
import { FloatingNotice } from '../../../../ui/feedback/FloatingNotice.tsx';
import { useText } from '../../../../ui/text/text.ts';
import { putReport, reloadReports, type Step, stepKey } from '../report-cache.ts';
import { shortReportId, statusWords } from '../report-words.ts';
import { StepToast } from './StepToast.tsx';

interface Done {
  count: number;
  id: string;
  from: ReportStatus;
  to: ReportStatus;
  isByKeyboard: boolean;
}

interface Failed {
  id: string;
  /** How the report stands, where the server told. */
  status: ReportStatus | undefined;
}

interface ReportSteps {
  /** Takes a report a step further at once; nothing where the step is not legal or another is under way. */
  take: (report: StaffReport, status: ReportStatus, isByKeyboard?: boolean) => void;
  /** Takes the last step back as long as that is offered; answers whether it was. */
  undo: () => boolean;
  /** Takes the word of a failed step away: what is shown is how things stand. */
  forgetFailure: () => void;
  /** The toast and the alert, to be placed on the page. */
  parts: ReactNode;
}

/** Changes of status, shown before the server has answered, taken back in words when it refuses, undone for five seconds. */
export function useReportSteps(focusBack: () => void): ReportSteps {
  const t = useText();
  const client = useQueryClient();
  const [done, setDone] = useState<Done | null>(null);
  const [failed, setFailed] = useState<Failed | null>(null);
  const underWay = useRef(new Map<string, Promise<unknown>>());

  const options = {
    mutationKey: stepKey,
    onSuccess: ({ data }: { data: { report: StaffReport } }) => putReport(client, data.report),
    onError: (error: unknown, { id }: Step) => {
      const report = error instanceof ApiError ? error.data.report : undefined;
      if (report) putReport(client, report);
      setDone((shown) => (shown?.id === id ? null : shown));
      setFailed({ id, status: report?.status });
    },
    onSettled: (_data: unknown, _error: unknown, { id }: Step) => reloadReports(client, id),
  };
  const forward = useMutation({
    ...options,
    mutationFn: ({ id, status }: Step) => call(changeReportStatus, { params: { id }, body: { status } }),
  });
  const back = useMutation({
    ...options,
    mutationFn: async ({ id }: Step) => {
      await underWay.current.get(id);
      return await call(undoReportStatus, { params: { id } });
    },
  });

  function take(report: StaffReport, status: ReportStatus, isByKeyboard = false) {
    const { _id: id, status: from } = report;
    if (underWay.current.has(id) || !report.can.status.includes(status)) return;
    setFailed(null);
    setDone((before) => ({ count: (before?.count ?? 0) + 1, id, from, to: status, isByKeyboard }));
    const sent = forward.mutateAsync({ id, status });
    const forget = () => underWay.current.delete(id);
    underWay.current.set(id, sent);
    sent.then(forget, forget);
  }

  function undo() {
    if (done === null) return false;
    const { id, from } = done;
    setDone(null);
    setFailed(null);
    back.mutate({ id, status: from });
    return true;
  }

  return {
    take,
    undo,
    forgetFailure: () => setFailed(null),
    parts: (
      <>
        {failed !== null && (
          <FloatingNotice
            kind="error"
            onClose={() => setFailed(null)}
            action={
              failed.status !== undefined && (
                <span>
                  {t('Report #{id} is {status} by now.', {
                    id: shortReportId(failed.id),
                    status: t(statusWords[failed.status]),
                  })}
                </span>
              )
            }
          >
            {t('Failed to update status. Please try again.')}
          </FloatingNotice>
        )}
        {failed === null && done !== null && (
          <StepToast
            key={done.count}
            id={done.id}
            status={done.to}
            takesFocus={done.isByKeyboard}
            onUndo={undo}
            onClose={() => setDone(null)}
            focusBack={focusBack}
          />
        )}
      </>
    ),
  };
}
