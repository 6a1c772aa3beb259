import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { reportUndoShownSeconds } from '#contract/constants.ts';
import type { ReportStatus } from '#contract/moderation/reports.ts';
import { type StaffReport, changeReportStatus, undoReportStatus } from '#contract/moderation/staff-reports.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../api/session/permission.ts';
import { FloatingNotice } from '../../../ui/feedback/Notice.tsx';
import { useHere } from '../queue/way-back.tsx';
import { decidingCase, putReport, reloadReports, type Step, stepKey } from './report-data.ts';
import { shortReportId, statusWord } from './report-words.ts';

interface StepToastProps {
  id: string;
  status: ReportStatus;
  /** The button with which the change was made can no longer hold the focus, so the toast takes it. */
  takesFocus: boolean;
  onUndo: () => void;
  onClose: () => void;
  /** Moves the focus elsewhere if the toast disappears while it has it. */
  focusBack: () => void;
}

/** Prevents a key that is held down on the opening button from pressing the toast's button. */
function ignoreHeldKey(event: KeyboardEvent) {
  if (event.repeat) event.preventDefault();
}

/** Confirms a status change, and offers to undo it for five seconds. */
export function StepToast({ id, status, takesFocus, onUndo, onClose, focusBack }: StepToastProps) {
  const button = useRef<HTMLButtonElement>(null);
  const handFocusBack = useEffectEvent(() =>
    setTimeout(() => {
      if (document.activeElement?.matches('body, h1') === true) focusBack();
    }),
  );

  useLayoutEffect(() => {
    const undo = button.current;
    if (takesFocus) undo?.focus({ preventScroll: true });
    return () => {
      if (undo !== null && document.activeElement === undo) handFocusBack();
    };
  }, [takesFocus]);

  const words = { id: shortReportId(id), status: statusWord(status) };
  return (
    <FloatingNotice
      kind="success"
      staysMs={reportUndoShownSeconds * 1000}
      onClose={onClose}
      action={
        <Button ref={button} size="xs" variant="default" onKeyDown={ignoreHeldKey} onClick={onUndo}>
          {t`Undo`}
        </Button>
      }
    >
      {status === 'resolved'
        ? t`Report #${{ id: words.id }} resolved.`
        : t`Report #${{ id: words.id }} is now: ${{ status: words.status }}.`}
    </FloatingNotice>
  );
}

interface Done {
  count: number;
  id: string;
  from: ReportStatus;
  to: ReportStatus;
  isByKeyboard: boolean;
}

interface Failed {
  id: string;
  /** The report's status, if the server returned it. */
  status: ReportStatus | undefined;
  /** The reason, if the report's case decides. */
  reason: string | null;
}

interface ReportSteps {
  /**
   * Changes the status at once, or opens the case that has to decide it. Does nothing if the change is not possible or
   * another one is running.
   */
  take: (report: StaffReport, status: ReportStatus, isByKeyboard?: boolean) => void;
  /** Undoes the last change while that is offered. Returns whether it did. */
  undo: () => boolean;
  /** Removes the message about a failed change after the list was reloaded. */
  forgetFailure: () => void;
  /** The toast and the alert, which the page has to render. */
  parts: ReactNode;
}

function StepFailure({ failed, onClose }: { failed: Failed; onClose: () => void }) {
  return (
    <FloatingNotice
      kind="error"
      onClose={onClose}
      action={
        failed.reason !== null ? (
          <span>{failed.reason}</span>
        ) : (
          failed.status !== undefined && (
            <span>
              {t`Report #${{ id: shortReportId(failed.id) }} is now ${{ status: statusWord(failed.status) }}.`}
            </span>
          )
        )
      }
    >
      {t`Failed to update status. Please try again.`}
    </FloatingNotice>
  );
}

/**
 * Optimistic status changes: they are rolled back with an alert if the server refuses, and can be undone for five
 * seconds.
 */
export function useReportSteps(focusBack: () => void): ReportSteps {
  const navigate = useNavigate();
  const maySeeCases = useMay('cases.list');
  const here = useHere();
  const [done, setDone] = useState<Done | null>(null);
  const [failed, setFailed] = useState<Failed | null>(null);
  const underWay = useRef(new Map<string, Promise<unknown>>());

  const options = {
    mutationKey: stepKey,
    onSuccess: ({ data }: { data: { report: StaffReport } }) => putReport(data.report),
    onError: (error: unknown, { id }: Step) => {
      const report = error instanceof ApiError ? error.data.report : undefined;
      if (report) putReport(report);
      setDone((shown) => (shown?.id === id ? null : shown));
      const isByCase = error instanceof ApiError && ['CASE_CLAIMED', 'DECISION_REQUIRED'].includes(error.code);
      setFailed({ id, status: report?.status, reason: isByCase ? error.message : null });
    },
    onSettled: (_data: unknown, _error: unknown, { id }: Step) => reloadReports(id),
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
    const caseId = decidingCase(report, status);
    if (caseId !== undefined) {
      if (maySeeCases) void navigate(`/cases/${caseId}`, { state: here });
      return;
    }
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
        {failed !== null && <StepFailure failed={failed} onClose={() => setFailed(null)} />}
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
