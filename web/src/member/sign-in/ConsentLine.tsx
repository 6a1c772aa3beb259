import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import { RichText } from '../../ui/data/RichText.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';

/** The terms that people agree to with the button below, however they join. */
export function ConsentLine() {
  return (
    <Hint>
      <RichText
        text={({ terms, policy }) =>
          t`I am {minimumAge} or older, accept the ${terms}, and let {brand} use what I share, and who I want to meet, as the ${policy} says.`
        }
        parts={{
          terms: (
            <Link to="/app/terms" target="_blank">
              {t`Terms`}
            </Link>
          ),
          policy: (
            <Link to="/privacy" target="_blank">
              {t`Privacy Policy`}
            </Link>
          ),
        }}
      />
    </Hint>
  );
}
