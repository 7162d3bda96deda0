package gormsched

import (
	"context"
	"log/slog"
	"time"

	"gorm.io/gorm/logger"
)

// statementLog is the logger of the store's own handle: the application's
// GORM logger, or one that writes statements at debug level to the given
// [slog.Logger]. Either way without values, which may be job data, and without
// errors: the store handles or returns each of them, and an expected one, such
// as a lost insert race, is nobody's alarm.
func statementLog(app logger.Interface, own *slog.Logger) logger.Interface {
	switch {
	case own != nil:
		return quiet{debugStatements{own}}
	case app == nil:
		return logger.Discard
	}
	return quiet{app}
}

// quiet hides values and errors from the logger below.
type quiet struct{ logger.Interface }

func (q quiet) LogMode(level logger.LogLevel) logger.Interface {
	return quiet{q.Interface.LogMode(level)}
}

// Trace passes slow and traced statements on, without their error.
func (q quiet) Trace(ctx context.Context, begin time.Time, statement func() (string, int64), _ error) {
	q.Interface.Trace(ctx, begin, statement, nil)
}

// ParamsFilter keeps the values out of the statement's text.
func (q quiet) ParamsFilter(_ context.Context, statement string, _ ...any) (string, []any) {
	return statement, nil
}

// debugStatements writes each statement at debug level.
type debugStatements struct{ log *slog.Logger }

func (d debugStatements) LogMode(logger.LogLevel) logger.Interface { return d }

func (d debugStatements) Info(ctx context.Context, message string, data ...any) {
	d.log.DebugContext(ctx, message, "data", data)
}

func (d debugStatements) Warn(ctx context.Context, message string, data ...any) {
	d.log.WarnContext(ctx, message, "data", data)
}

func (d debugStatements) Error(ctx context.Context, message string, data ...any) {
	d.log.WarnContext(ctx, message, "data", data)
}

func (d debugStatements) Trace(ctx context.Context, begin time.Time, statement func() (string, int64), _ error) {
	if !d.log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	text, rows := statement()
	d.log.DebugContext(ctx, "statement", "sql", text, "rows", rows, "begin", begin)
}
