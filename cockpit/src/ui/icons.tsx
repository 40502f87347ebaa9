/** The few icons of the cockpit: 16 px, one line weight, drawn in the colour of the text. */
import type { ReactNode } from 'react';

interface IconProps {
  className?: string;
}

function Icon({ className = '', children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${className}`}
    >
      {children}
    </svg>
  );
}

export const OverviewIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M2.5 13.5v-4M6.2 13.5v-8M9.8 13.5v-5.5M13.5 13.5v-11" />
  </Icon>
);

export const AgentsIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="2.5" y="5" width="11" height="8" rx="2" />
    <path d="M8 5V2.5M6 8.5v1M10 8.5v1" />
  </Icon>
);

export const CustomersIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="6" cy="5.5" r="2.3" />
    <path d="M1.800 13c.5-2.300 2.200-3.500 4.200-3.500s3.700 1.200 4.200 3.500M10.500 3.400a2.300 2.300 0 0 1 0 4.200M12 9.800c1.200.5 2 1.600 2.300 3.200" />
  </Icon>
);

export const ReconciliationIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M8 2.500v11M5 13.500h6M3 4.500h10M1.500 9.500 3.500 4.500l2 5a2.100 2.100 0 0 1-4 0zM10.500 9.500l2-5 2 5a2.100 2.100 0 0 1-4 0z" />
  </Icon>
);

export const RunsIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M2.5 4h5M5.5 8h6M9 12h4.5" />
  </Icon>
);

export const ConnectIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M6.5 9.5l3-3M7 4.5l1.2-1.2a2.8 2.8 0 0 1 4 4L11 8.5M5 7.5L3.8 8.7a2.8 2.8 0 0 0 4 4L9 11.5" />
  </Icon>
);

export const LeftIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 3.5L5.5 8l4.5 4.5" />
  </Icon>
);

export const RightIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M6 3.5L10.5 8 6 12.5" />
  </Icon>
);

export const DownIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 6.500L8 10.5 12 6.5" />
  </Icon>
);

export const CheckIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3 8.500L6.5 12 13 4.5" />
  </Icon>
);

export const CopyIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M3 10.500h-.5v-8h8V3" />
  </Icon>
);

export const CloseIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 4l8 8M12 4l-8 8" />
  </Icon>
);

export const SearchIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="7" cy="7" r="4.5" />
    <path d="M10.5 10.500L14 14" />
  </Icon>
);

export const DownloadIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M8 2.500v8M4.8 7.500L8 10.700l3.2-3.200M3 13.500h10" />
  </Icon>
);

export const WarningIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M8 2.500L14.5 13.500h-13zM8 6.500v3M8 11.500v.1" />
  </Icon>
);

export const SortUpIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M8 12.500v-9M4.5 7L8 3.5 11.5 7" />
  </Icon>
);

export const SortDownIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M8 3.500v9M4.5 9L8 12.5 11.5 9" />
  </Icon>
);

export const UserIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="8" cy="5.5" r="2.8" />
    <path d="M2.8 13.500c.6-2.6 2.7-4 5.2-4s4.6 1.4 5.2 4" />
  </Icon>
);

export const CalendarIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="2.5" y="3.5" width="11" height="10" rx="1.5" />
    <path d="M2.5 6.800h11M5.5 2v2.500M10.5 2v2.5" />
  </Icon>
);

export const SettingsIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M2.500 5h5M11.500 5h2M2.500 11h2M8.500 11h5" />
    <circle cx="9.5" cy="5" r="2" />
    <circle cx="6.5" cy="11" r="2" />
  </Icon>
);

export const MoreIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3.5 8v.1M8 8v.1M12.5 8v.1" strokeWidth="2" />
  </Icon>
);

export const EyeIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M1.500 8c1.500-2.700 3.700-4 6.500-4s5 1.300 6.500 4c-1.500 2.700-3.700 4-6.500 4s-5-1.300-6.500-4z" />
    <circle cx="8" cy="8" r="2" />
  </Icon>
);

export const EyeOffIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M6 4.300c.6-.2 1.300-.3 2-.3 2.800 0 5 1.300 6.500 4-.5.9-1.100 1.600-1.700 2.200M4 5.400c-1 .6-1.800 1.500-2.500 2.600 1.500 2.700 3.700 4 6.500 4 1.100 0 2-.2 2.900-.6M2.500 2.500l11 11" />
  </Icon>
);

export const PrintIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4.500 6V2.500h7V6M4.500 11.500h-2V6h11v5.500h-2M4.500 9.500h7v4h-7z" />
  </Icon>
);

export const InfoIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 7.500v3.500M8 5v.1" />
  </Icon>
);

export const FilterIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />
  </Icon>
);

export const BreakdownIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M2.5 3.5h11M2.5 8h7.5M2.5 12.5h4" />
  </Icon>
);

export const ProtectionIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M8 2 3 4v3.500c0 3 2 5.300 5 6.500 3-1.200 5-3.500 5-6.500V4z" />
  </Icon>
);

export const PricesIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M8 2.5h5.5V8L8 13.5 2.5 8z" />
    <path d="M10.8 5.2v.01" />
  </Icon>
);
