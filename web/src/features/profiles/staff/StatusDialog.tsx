import { t } from '@lingui/core/macro';
import { ReasonDialog } from '../../../ui/feedback/ReasonDialog.tsx';

export interface StatusRequest {
  id: string;
  name: string;
  isActive: boolean;
  reason: string;
}

interface StatusDialogProps {
  /** The user and the new status; `reason` is what was typed before a failure. */
  request: StatusRequest;
  onConfirm: (request: StatusRequest) => void;
  onClose: () => void;
}

/** Asks for a reason before a user is activated or deactivated. */
export function StatusDialog({ request, onConfirm, onClose }: StatusDialogProps) {
  const { name, isActive } = request;
  return (
    <ReasonDialog
      title={isActive ? t`Activate ${name}?` : t`Deactivate ${name}?`}
      description={
        isActive ? t`Kept in the audit trail.` : t`The member sees this reason. It is also kept in the audit trail.`
      }
      confirm={isActive ? t`Activate` : t`Deactivate`}
      {...(isActive && { color: 'moss' })}
      typedBefore={request.reason}
      onConfirm={(reason) => onConfirm({ ...request, reason })}
      onClose={onClose}
    >
      {isActive
        ? t`They will be able to sign in again, and other members will see them.`
        : t`They will be signed out and hidden from other members, and won't be able to sign in.`}
    </ReasonDialog>
  );
}
