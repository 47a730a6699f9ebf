/**
 * The records of loops and of episodic memories, written from their JSON Schemas, which `jsonSchema` gives.
 * Records may have further members.
 *
 * @module
 */

/** One iteration of a loop: what it did, how it was judged and what it learned. */
export interface ReflectionRecord {
  /** Unique identifier for the Ralph loop (e.g., 'ralph-research-issues-2026-01-25'). Matches `^ralph-[a-z0-9-]+$`. */
  loop_id: string;
  /** Zero-indexed iteration number (0 = first attempt). At least 0. */
  iteration: number;
  /** ISO 8601 timestamp when reflection was generated. A date and time of RFC 3339, with its zone. */
  timestamp: string;
  /** Natural language description of the task being attempted. */
  task_description?: string;
  /** Output from Actor model (Ma): actions taken and code changes made. */
  actor_output: {
    /** Sequence of actions taken in this iteration. */
    actions: {
      /** Type of action performed. */
      type: 'code_modification' | 'file_creation' | 'file_deletion' | 'test_execution' | 'command_execution' | 'api_call' | 'other';
      /** Natural language description of the action. */
      description: string;
      /** Path to file affected by this action (if applicable). */
      file_path?: string;
      /** Details of code changes made. */
      changes?: {
        /** Lines of code added. */
        additions?: number;
        /** Lines of code deleted. */
        deletions?: number;
        /** Unified diff format of changes. */
        diff?: string;
      };
      /** Command executed (if type is command_execution). */
      command?: string;
      /** When this specific action was taken. A date and time of RFC 3339, with its zone. */
      timestamp?: string;
    }[];
    /** Actor's reasoning for chosen actions and approach. */
    rationale: string;
    /** High-level strategy employed in this iteration. */
    strategy?: string;
    /** List of all files touched in this iteration. */
    files_modified?: string[];
    /** Aggregate statistics for this iteration. */
    total_changes?: {
      files_changed?: number;
      lines_added?: number;
      lines_deleted?: number;
    };
  };
  /** Output from Evaluator model (Me): verification results and error signals. */
  evaluator_output: {
    /** Whether the iteration passed verification (true = success, false = retry needed). */
    passed: boolean;
    /** Type of verification performed (follows Reflexion paper Section 3.2). */
    verification_type: 'unit_tests' | 'integration_tests' | 'type_check' | 'lint' | 'compilation' | 'heuristic' | 'external_api' | 'manual_review' | 'combined';
    /** Individual verification results from external tools. */
    results?: {
      /** Name of verification tool (e.g., 'npm test', 'tsc', 'eslint'). */
      tool: string;
      /** Result status. */
      status: 'pass' | 'fail' | 'error' | 'skip';
      /** Exit code from tool execution. */
      exit_code?: number;
      /** Standard output from tool. */
      stdout?: string;
      /** Standard error from tool. */
      stderr?: string;
      /** Execution time in milliseconds. */
      duration_ms?: number;
    }[];
    /** Structured error information for failed verifications. */
    errors?: {
      /** Category of error. */
      type: 'syntax_error' | 'type_error' | 'test_failure' | 'lint_error' | 'runtime_error' | 'logic_error' | 'timeout' | 'other';
      /** Error message from verification tool. */
      message: string;
      /** File where error occurred. */
      file?: string;
      /** Line number where error occurred. */
      line?: number;
      /** Column number where error occurred. */
      column?: number;
      /** Stack trace if available. */
      stack_trace?: string;
      /** Severity level. */
      severity?: 'error' | 'warning' | 'info';
      /** Linter rule or test name that failed. */
      rule?: string;
    }[];
    /** Scalar reward (0.0 = complete failure, 1.0 = complete success). Following Reflexion paper Section 3.2. 0 to 1. */
    reward_signal?: number;
    /** Quantitative metrics from verification. */
    metrics?: {
      tests_passed?: number;
      tests_failed?: number;
      tests_total?: number;
      /** 0 to 100. */
      coverage_percentage?: number;
      lint_errors?: number;
      lint_warnings?: number;
      type_errors?: number;
    };
  };
  /** Output from Self-Reflection model (Msr): verbal analysis of what went wrong and lessons learned. This is the core of Reflexion's episodic memory (see REF-021 Section 3.3). */
  self_reflection: {
    /** Natural language self-reflection following Reflexion pattern: (1) credit assignment - which actions failed, (2) causal reasoning - why they failed, (3) actionable insights - what to do differently. Written in first person. */
    reflection_text: string;
    /** Identification of specific failing actions in trajectory. */
    credit_assignment?: {
      /** Indices of actions in actor_output.actions that caused failure. */
      failing_action_indices?: number[];
      /** Identified root cause of failure. */
      root_cause?: string;
      /** Category of failure (inspired by Reflexion AlfWorld error analysis). */
      failure_category?: 'hallucination' | 'inefficient_planning' | 'incorrect_assumption' | 'incomplete_implementation' | 'edge_case_miss' | 'integration_error' | 'configuration_error' | 'logic_error' | 'other';
    };
    /** Explanation of why the identified actions led to failure. */
    causal_reasoning?: string;
    /** Specific concrete steps to take in next iteration. */
    actionable_insights?: string[];
    /** General lessons applicable to future similar tasks. */
    lessons_learned?: string[];
    /** Self-assessed confidence in this reflection's accuracy (0.0 = low, 1.0 = high). 0 to 1. */
    confidence?: number;
    /** References to previous reflections that informed this one. */
    related_reflections?: number[];
  };
  /** Metadata about the episodic memory sliding window (Ω capacity from Reflexion paper). */
  memory_metadata: {
    /** Maximum number of reflections to keep in memory (Ω parameter from Reflexion). Typical values: 1 for programming, 3 for decision-making/reasoning. 1 to 10. Default 3. */
    omega_capacity: number;
    /** Current number of reflections in sliding window. At least 0. */
    current_memory_size: number;
    /** Iteration numbers of reflections currently in memory window. */
    reflections_in_context?: number[];
    /** Policy for sliding window maintenance. Default "fifo". */
    window_policy?: 'fifo' | 'recency' | 'relevance_weighted';
    /** Total reflections generated across all iterations (may exceed Ω). At least 0. */
    total_reflections_generated?: number;
  };
  /** Whether previous reflections from memory window were injected into this iteration's context. Default false. */
  context_injected?: boolean;
  /** Iteration numbers of previous reflections that informed this attempt. */
  previous_reflections_used?: number[];
  /** Performance comparison to previous iteration. */
  performance_delta?: {
    /** Change in reward signal from previous iteration (positive = improvement). */
    reward_change?: number;
    /** Change in error count from previous iteration (negative = improvement). */
    error_count_change?: number;
    /** Whether this iteration showed measurable improvement. */
    is_improvement?: boolean;
  };
  /** Optional free-form notes about this iteration. */
  notes?: string;
}

/** `metadata.json` of a task of an episodic memory: what the task is and how far it has come. */
export interface TaskMetadata {
  /** Names the task, and its folder. */
  id?: string;
  /** The task in words. */
  description?: string;
  /** When it counts as done. */
  completion_criteria?: string;
  /** When the task was opened. A date and time of RFC 3339, with its zone. */
  created?: string;
  /** When this file was last written. A date and time of RFC 3339, with its zone. */
  updated?: string;
  /** When the task ended. A date and time of RFC 3339, with its zone. */
  completed?: string;
  /** Where it stands, or how it ended. */
  status?: 'running' | 'paused' | 'completed' | 'failed';
  /** Number of the attempt under way. */
  current_attempt?: number;
  /** Attempts so far. */
  total_attempts?: number;
  /** Labels. */
  tags?: string[];
  /** Ids of other tasks. */
  related_tasks?: string[];
}

/** `trajectory.json` of a task: every attempt in a few facts. */
export interface TaskTrajectory {
  /** The task that the attempts belong to. */
  task_id?: string;
  /** The attempts, in order. */
  attempts?: {
    /** Number of the attempt. */
    attempt_id?: number;
    /** A date and time of RFC 3339, with its zone. */
    started?: string;
    /** A date and time of RFC 3339, with its zone. */
    ended?: string;
    /** How it ended. */
    outcome?: 'success' | 'failure' | 'timeout';
    /** What was to be tried. */
    plan?: string;
    /** How many actions were taken. */
    actions?: number;
    /** How many iterations the attempt had. */
    iterations?: number;
    /** What happened on the way. */
    milestones?: {
      /** A date and time of RFC 3339, with its zone. */
      timestamp?: string;
      /** What happened. */
      event?: string;
      /** More of it. */
      details?: string;
    }[];
    /** Quality at the end; the scale is not declared. */
    final_quality?: number;
    /** How much was done, in percent. */
    completion_percent?: number;
  }[];
}

/** A line of `reflections.jsonl` of a task: what an attempt taught. */
export interface TaskReflection {
  /** A date and time of RFC 3339, with its zone. */
  timestamp?: string;
  /** Number of the attempt. */
  attempt_id?: number;
  /** What happened. */
  observation?: string;
  /** Why it happened. */
  analysis?: string;
  /** What to do differently. */
  learning?: string;
  /** Steps to take. */
  action_items?: string[];
  /** Why it was written. */
  triggered_by?: 'failure' | 'success' | 'timeout' | 'manual';
  /** What the reflection looks for. */
  reflection_type?: 'error-analysis' | 'success-pattern' | 'process-improvement';
}

/** `attempt.json` of an attempt: its plan, how it went and how it ended. */
export interface TaskAttempt {
  /** Number of the attempt. */
  id?: number;
  /** The task that it belongs to. */
  task_id?: string;
  /** A date and time of RFC 3339, with its zone. */
  started?: string;
  /** A date and time of RFC 3339, with its zone. */
  ended?: string;
  /** What was to be tried. */
  plan?: {
    /** The idea. */
    approach?: string;
    /** In the order in which they were to be taken. */
    steps?: string[];
    /** How many iterations it may take. */
    estimated_iterations?: number;
  };
  /** How it went. */
  execution?: {
    /** Who worked. */
    agent?: string;
    /** How many iterations there were. */
    iterations?: number;
    /** How many actions were taken. */
    actions_performed?: number;
    /** Quality by iteration. */
    quality_history?: {
      /** Number of the iteration. */
      iteration?: number;
      /** Quality of the work by then. */
      quality?: number;
      /** Change from the iteration before. */
      delta?: number;
    }[];
  };
  /** How it ended. */
  outcome?: {
    /** Where it stands, or how it ended. */
    status?: 'success' | 'failure' | 'timeout';
    /** Why it ended so. */
    reason?: string;
    /** Quality at the end; the scale is not declared. */
    final_quality?: number;
    /** How much was done, in percent. */
    completion_percent?: number;
  };
  /** What helped. */
  what_worked?: string[];
  /** What did not help. */
  what_didnt_work?: string[];
  /** What to do in the next attempt. */
  suggestions_for_next_time?: string[];
}

/** A line of `actions.jsonl` of an attempt: one call of a tool, with why and what came of it. */
export interface TaskAction {
  /** A date and time of RFC 3339, with its zone. */
  timestamp?: string;
  /** The iteration inside the attempt. */
  iteration?: number;
  /** Kind of the action; other: `tool` says which. */
  type?: 'read' | 'write' | 'bash' | 'grep' | 'glob' | 'task' | 'edit' | 'other';
  /** The tool by name. */
  tool?: string;
  /** What the tool was called with. */
  params?: Record<string, unknown>;
  /** Whether it worked. */
  success?: boolean;
  /** What the tool gave back. */
  output?: string;
  /** What the tool complained of. */
  error?: string;
  /** Why it was called. */
  reasoning?: string;
  /** What it was hoped to do. */
  expected_outcome?: string;
}

/** The type of each kind of record that {@link RecordSchema} names. */
export interface RecordTypes {
  /** A record of the kind `reflection-memory`. */
  'reflection-memory': ReflectionRecord;
  /** A record of the kind `task-metadata`. */
  'task-metadata': TaskMetadata;
  /** A record of the kind `trajectory`. */
  'trajectory': TaskTrajectory;
  /** A record of the kind `reflection`. */
  'reflection': TaskReflection;
  /** A record of the kind `attempt`. */
  'attempt': TaskAttempt;
  /** A record of the kind `action`. */
  'action': TaskAction;
}
