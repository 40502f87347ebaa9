/** The functions of services that FOCUS 1.2 knows: subcategories by their category. */

const OF: Record<string, readonly string[]> = {
  'AI and Machine Learning': ['Bots', 'Generative AI', 'Machine Learning', 'Natural Language Processing'],
  Analytics: [
    'Analytics Platform',
    'Business Intelligence',
    'Data Processing',
    'Search',
    'Streaming Analytics',
  ],
  'Business Applications': [],
  Compute: ['Containers', 'End User Computing', 'Quantum', 'Serverless Compute', 'Virtual Machines'],
  Databases: ['Caching', 'Data Warehouse', 'Relational', 'NoSQL', 'Ledger', 'Time Series'],
  'Developer Tools': [],
  Identity: [],
  Integration: ['API Management', 'Messaging', 'Workflow Automation'],
  'Internet of Things': [],
  'Management and Governance': [
    'Administration',
    'Architecture',
    'Compliance',
    'Cost Management',
    'Data Governance',
    'Disaster Recovery',
    'Observability',
    'Support',
  ],
  Media: [],
  Migration: [],
  Mobile: [],
  Multicloud: [],
  Networking: [
    'Content Delivery',
    'Data Transfer',
    'Load Balancing',
    'Network Management',
    'Network Security',
  ],
  Security: ['CSPM', 'Credentials', 'SIEM', 'Threat Detection'],
  Storage: ['Backups', 'Bulk Transfer', 'Disk', 'Files', 'Object Storage'],
  Web: [],
  Other: [],
};

export const CATEGORIES: readonly string[] = Object.keys(OF);

/** The category of each subcategory; every category has one for the rest of it. */
export const SUBCATEGORIES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(OF).flatMap(([category, names]) =>
    [...names, `Other (${category})`].map((name) => [name, category]),
  ),
);
